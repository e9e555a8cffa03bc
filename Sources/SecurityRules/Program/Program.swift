// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Checked rules in the form in which they are evaluated: names are resolved, statements lie in one list.
struct Program: Sendable {
    typealias NodeID = Int

    /// What an expression does. Parentheses are gone.
    indirect enum Node: Sendable {
        case constant(RuleValue)
        /// A negative number, which counts as two expressions.
        case negativeLiteral(RuleValue)
        /// A parameter or a `let`, by its place in the function's frame.
        case local(Int)
        /// A capture of the statement's path, by its place from the outside.
        case capture(Int)
        case request
        case requestMember(Text)
        case resource
        /// A name that nothing has: null.
        case unknownVariable
        case list([NodeID])
        case map([(key: NodeID, value: NodeID)])
        case path([PathPart])
        case member(NodeID, Text)
        case index(NodeID, NodeID)
        case range(NodeID, from: NodeID?, to: NodeID?)
        case not(NodeID)
        case negated(NodeID)
        case and(NodeID, NodeID)
        case or(NodeID, NodeID)
        case `in`(NodeID, NodeID)
        case equality(NodeID, NodeID, isNegated: Bool)
        case comparison(BinaryOperator, NodeID, NodeID)
        case arithmetic(BinaryOperator, NodeID, NodeID)
        case typeTest(NodeID, RuleType)
        case conditional(NodeID, NodeID, NodeID)
        case call(Int, [NodeID])
        /// A call of a function that exists with another number of arguments.
        case wrongCall(signature: String, count: Int)
        case builtIn(FreeFunction, [NodeID])
        case access(AccessFunction, [NodeID])
        /// With the pattern of `matches`, `split` and `replace` if it is a literal.
        case method(NodeID, Method, [NodeID], Pattern?)
        /// A function or method that does not exist.
        case unknownFunction(String)
        case unknownMethod(NodeID, String)
    }

    enum PathPart: Sendable {
        case segment(RulePath.Segment)
        case binding(NodeID)
    }

    struct Function: Sendable {
        var bindings: [NodeID]
        var result: NodeID
    }

    enum PatternSegment: Sendable {
        case literal(Text)
        case capture
        case glob
    }

    /// A path of nested matches in one.
    struct PathPattern: Sendable {
        /// At most one is a glob.
        var segments: [PatternSegment] = []
        var hasGlob = false
        /// In version 1 a glob stands for one segment at least.
        var globMayBeEmpty = true
    }

    struct Statement: Sendable {
        let pattern: Int
        let methods: MethodSet
        /// Nil for a statement without a condition, which always holds.
        let condition: NodeID?
        /// Where the condition begins.
        let position: SourcePosition
    }

    var nodes: [Node] = []
    var functions: [Function] = []
    var patterns: [PathPattern] = []
    /// In the order in which they are tried.
    var statements: [Statement] = []
}

/// The methods of a request.
package enum RequestMethod: String, Sendable, CaseIterable {
    case get, list, create, update, delete
}

/// The methods that a statement allows.
struct MethodSet: OptionSet, Sendable {
    let rawValue: Int

    static let read: MethodSet = [MethodSet(.get), MethodSet(.list)]
    static let write: MethodSet = [MethodSet(.create), MethodSet(.update), MethodSet(.delete)]

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(_ method: RequestMethod) {
        rawValue = 1 << (RequestMethod.allCases.firstIndex(of: method) ?? 0)
    }

    /// Nil if no method has the name. Case does not matter.
    init?(name: String) {
        switch name.lowercased() {
        case "read": self = .read
        case "write": self = .write
        case let name:
            guard let method = RequestMethod(rawValue: name) else { return nil }
            self.init(method)
        }
    }
}
