// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Checked rules in the form in which they are evaluated: names are resolved, all that an expression needs lies in a few
/// lists, and a node is a few numbers, so that evaluating one neither copies nor counts references.
final class Program: Sendable {
    typealias NodeID = Int32

    /// A place in one of the program's lists.
    typealias Place = Int32

    /// Nodes in the list of operands.
    struct Operands: Sendable {
        let start: Int32
        let count: Int32

        var range: Range<Int> { Int(start)..<Int(start + count) }
    }

    /// What an expression does. Parentheses are gone.
    enum Node: Sendable {
        case constant(Place)
        /// A list of constants, and how many expressions it counts as.
        case constantList(Place, weight: Int32)
        /// A negative number, which counts as two expressions.
        case negativeLiteral(Place)
        /// A parameter or a `let`, by its place in the function's frame.
        case local(Int32)
        /// A capture of the statement's path, by its place from the outside.
        case capture(Int32)
        case request
        case requestMember(RequestName, Place)
        case resource
        /// A name that nothing has: null.
        case unknownVariable
        case list(Operands)
        /// Keys and values in turns.
        case map(Operands)
        case path(Operands)
        case member(NodeID, Place)
        case index(NodeID, NodeID)
        /// With -1 for a bound that is left out.
        case range(NodeID, from: NodeID, to: NodeID)
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
        case call(Int32, Operands)
        /// A call of a function that exists with another number of arguments, with its signature.
        case wrongCall(signature: Place, Operands)
        case builtIn(FreeFunction, Operands)
        case access(AccessFunction, Operands)
        /// With the pattern of `matches`, `split` and `replace` if it is a literal, else -1.
        case method(NodeID, Method, Operands, pattern: Place)
        /// A function or method that does not exist.
        case unknownFunction(Place, Operands)
        case unknownMethod(NodeID, Place, Operands)
        /// A segment of a path.
        case segment(Place)
    }

    struct Function: Sendable {
        var bindings: [NodeID]
        /// Where the `let` of each begins.
        var lets: [SourcePosition] = []
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
        /// In version 1 a glob stands for one segment at least, and what a query leaves open in it cannot be read.
        var globMayBeEmpty = true
        var nesting = GlobNesting()
        /// The places of captures and globs.
        var captures: [Int] = []
        /// How many of the first segments fit every path: those of the usual `/databases/{database}/documents`.
        var known = 0
    }

    struct Statement: Sendable {
        let pattern: Int
        let methods: MethodSet
        /// Nil for a statement without a condition, which always holds.
        let condition: NodeID?
        /// The condition, if it asks only who the caller is.
        let callerTest: CallerTest?
        /// Where the condition begins.
        let position: SourcePosition
    }

    let nodes: [Node]
    /// Where the source of each node lies: what evaluates nodes does not look at them.
    let sources: [NodeSource]
    let operands: [NodeID]
    let constants: [RuleValue]
    let names: [Text]
    let segments: [RulePath.Segment]
    let textPatterns: [Pattern]
    let functions: [Function]
    let patterns: [PathPattern]
    /// In the order in which they are tried.
    let statements: [Statement]

    /// A program that is being built.
    struct Parts {
        var nodes: [Node] = []
        var sources: [NodeSource] = []
        var operands: [NodeID] = []
        var constants: [RuleValue] = []
        var names: [Text] = []
        var segments: [RulePath.Segment] = []
        var textPatterns: [Pattern] = []
        var functions: [Function] = []
        var patterns: [PathPattern] = []
        var statements: [Statement] = []
    }

    /// One object, so that each request counts one reference to all of it.
    init(_ parts: Parts) {
        nodes = parts.nodes
        sources = parts.sources
        operands = parts.operands
        constants = parts.constants
        names = parts.names
        segments = parts.segments
        textPatterns = parts.textPatterns
        functions = parts.functions
        patterns = parts.patterns
        statements = parts.statements
    }
}

/// The source of an expression.
struct NodeSource: Sendable {
    /// Of the outermost parentheses.
    var start: SourcePosition
    /// The byte after its last.
    let end: Int
}

/// The members of `request`.
enum RequestName: String, Sendable {
    case auth, method, path, time, inTransaction, headers, resource
    /// What only some requests have.
    case other
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
        rawValue =
            switch method {
            case .get: 1
            case .list: 2
            case .create: 4
            case .update: 8
            case .delete: 16
            }
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

extension SyntaxTree.Allow {
    /// The methods that it names, without those that do not exist.
    var methodSet: MethodSet { methods.reduce(into: []) { $0.formUnion(MethodSet(name: $1.text) ?? []) } }
}
