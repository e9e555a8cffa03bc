// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// What a function that reads documents gives in a test, instead of reading.
struct FunctionMock: Sendable {
    let function: String
    /// The paths of the arguments; nil stands for any.
    let arguments: [[Text]?]
    /// Nil is an error.
    let result: RuleValue?

    init(_ node: JSONNode, _ name: String, isEncoded: Bool) throws(DocumentFormError) {
        let mock = try SuiteObject(node, name, ["function", "args", "result"])
        function = try mock.text("function")
        guard AccessFunction(rawValue: function) != nil else {
            let all = AccessFunction.allCases.map(\.rawValue).joined(separator: ", ")
            throw DocumentFormError("\(name).function is one of \(all), not \"\(function)\"", offset: node.offset)
        }
        var arguments: [[Text]?] = []
        for (place, argument) in (try mock.list("args")).enumerated() {
            let name = "\(name).args[\(place)]"
            let object = try SuiteObject(argument, name, ["exactValue", "anyValue"])
            if object["anyValue"] != nil {
                arguments.append(nil)
            } else {
                arguments.append(FunctionMock.segments(try object.text("exactValue"), isEncoded: isEncoded))
            }
        }
        self.arguments = arguments
        guard let outcome = mock["result"] else {
            throw DocumentFormError("\(name) has no \"result\"", offset: node.offset)
        }
        result = try SuiteObject(outcome, "\(name).result", ["value", "undefined"])["value"].map(Claims.value)
    }

    func fits(_ function: AccessFunction, _ path: RulePath) -> Bool {
        guard self.function == function.rawValue else { return false }
        guard let wanted = arguments.first ?? nil else { return true }
        return wanted == path.texts
    }

    /// The segments of a path that begins with a slash.
    static func segments(_ text: String, isEncoded: Bool) -> [Text] {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        return parts.map { isEncoded ? PathText.decode($0) ?? Text(String($0)) : Text(String($0)) }
    }
}
