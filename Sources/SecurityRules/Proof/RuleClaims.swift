// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// What rules ask of a user's token: the claims that they name, and the values that they compare anything with.
struct RuleClaims {
    /// The claims, in the order of the source.
    private(set) var names: [String] = []
    private var texts: [String] = []
    private var others: [JSONNode] = [.boolean(true), .boolean(false)]

    /// More are not tried.
    private static let maximum = 12
    private static let maximumIDs = 100

    init(_ tree: SyntaxTree) {
        for expression in tree.expressions {
            switch expression.kind {
            case .member(let object, let name): add(name, of: object, in: tree)
            case .index(let object, let key), .binary(.in, let key, let object):
                if case .constant(.string(let name)) = tree[key].kind { add(name, of: object, in: tree) }
            case .method(let object, "get", let arguments):
                if let key = arguments.first, case .constant(.string(let name)) = tree[key].kind {
                    add(name, of: object, in: tree)
                }
            case .constant(.string(let text)): texts.append(text.string)
            case .constant(.int(let number)): others.append(.integer(number))
            default: break
            }
        }
    }

    /// `request.auth.token`, or what a function or a variable of that name gives.
    private mutating func add(_ name: Text, of object: SyntaxTree.ExpressionID, in tree: SyntaxTree) {
        let isToken =
            switch tree[object].kind {
            case .member(_, "token"), .variable("token"), .call("token", _): true
            default: false
            }
        if isToken, name != "sub", name != "user_id", !names.contains(name.string) { names.append(name.string) }
    }

    /// The strings of the rules. One may be the ID of a user.
    var userIDs: [Text] { texts.prefix(RuleClaims.maximumIDs).map { Text($0) } }

    /// Claims that may be those that rules ask for: all are true, and one is each value in turn.
    ///
    /// - Parameter values: what the query compares with.
    func tokens(_ values: [Text]) -> [[JSONMember]] {
        let texts = (values.map(\.string) + self.texts).prefix(2 * RuleClaims.maximum).map { JSONNode.string($0) }
        let candidates = others.prefix(RuleClaims.maximum) + texts + texts.map { JSONNode(.array([$0])) }
        let own = names.prefix(RuleClaims.maximum).filter { $0 != "firebase" && $0 != "email" }
        return names.prefix(RuleClaims.maximum).flatMap { name in
            candidates.map { value in
                let value = name == "firebase" ? JSONNode.object(["sign_in_provider": value]) : value
                return own.filter { $0 != name }.map { JSONMember(key: $0, node: .boolean(true)) }
                    + [JSONMember(key: name, node: value)]
            }
        }
    }
}
