// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A parsed source. Expressions lie in one array and refer to each other by number, so that no walk and no release of
/// a tree needs a stack as deep as the source.
struct SyntaxTree {
    typealias ExpressionID = Int

    struct Name {
        let text: String
        let position: SourcePosition
    }

    struct Service {
        let name: Name
        var functions: [Function] = []
        var matches: [Match] = []
    }

    struct Match {
        let position: SourcePosition
        let path: [PatternSegment]
        var functions: [Function] = []
        var members: [Member] = []
    }

    /// What a match holds besides functions, in the order of the source.
    enum Member {
        case match(Match)
        case allow(Allow)
    }

    struct PatternSegment {
        enum Kind {
            case literal(Text)
            case capture(Name)
            case glob(Name)
        }

        let kind: Kind
        let position: SourcePosition

        /// The name of its capture.
        var name: Name? {
            switch kind {
            case .literal: nil
            case .capture(let name), .glob(let name): name
            }
        }
    }

    struct Allow {
        let methods: [Name]
        /// Nil for a statement without a condition.
        let condition: ExpressionID?
        /// The start of the condition, or of the statement if it has none.
        let position: SourcePosition
    }

    struct Function {
        let name: Name
        let parameters: [Name]
        /// Each with the position of its `let`.
        let bindings: [(position: SourcePosition, name: Name, value: ExpressionID)]
        let result: ExpressionID
    }

    struct Expression {
        indirect enum Kind {
            case constant(RuleValue)
            case variable(String)
            case parenthesized(ExpressionID)
            case list([ExpressionID])
            case map([(key: ExpressionID, value: ExpressionID)])
            case path([PathPart])
            case member(ExpressionID, Text)
            case index(ExpressionID, ExpressionID)
            case range(ExpressionID, from: ExpressionID?, to: ExpressionID?)
            case not(ExpressionID)
            case negated(ExpressionID)
            case binary(BinaryOperator, ExpressionID, ExpressionID)
            case typeTest(ExpressionID, RuleType)
            case conditional(ExpressionID, ExpressionID, ExpressionID)
            case call(String, [ExpressionID])
            case packageCall(String, String, [ExpressionID])
            case method(ExpressionID, String, [ExpressionID])
        }

        let kind: Kind
        /// Where warnings about the expression point: the operator, the name of a method, else its start.
        let position: SourcePosition
        let start: SourcePosition
        /// The byte of the source after its last.
        let end: Int
        /// The number of expressions on the longest way down, this one included.
        let height: Int
        /// The same without the operands of members, methods and indexes, as the limit of the compiler counts.
        let nestingHeight: Int
    }

    enum PathPart {
        case text(Text)
        case binding(ExpressionID)
        case capture(String, isGlob: Bool)
    }

    enum Version: Int {
        case one = 1
        case two = 2
    }

    var version: Version = .one
    var functions: [Function] = []
    var services: [Service] = []
    var expressions: [Expression] = []
    /// Where the digits of integers with a minus sign begin.
    var digits: [ExpressionID: SourcePosition] = [:]

    subscript(id: ExpressionID) -> Expression { expressions[id] }
}

enum BinaryOperator: String, Sendable {
    case or = "||"
    case and = "&&"
    case `in` = "in"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"

    /// What says the same with its operands exchanged.
    var mirrored: BinaryOperator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }

    /// Higher binds tighter. `is` lies between `in` and equality. The documentation orders these three otherwise.
    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .in: 3
        case .equal, .notEqual: 5
        case .less, .lessOrEqual, .greater, .greaterOrEqual: 6
        case .add, .subtract: 7
        case .multiply, .divide, .remainder: 8
        }
    }

    init?(_ kind: TokenKind) {
        switch kind {
        case .or: self = .or
        case .and: self = .and
        case .in: self = .in
        case .equal: self = .equal
        case .notEqual: self = .notEqual
        case .less: self = .less
        case .lessOrEqual: self = .lessOrEqual
        case .greater: self = .greater
        case .greaterOrEqual: self = .greaterOrEqual
        case .plus: self = .add
        case .minus: self = .subtract
        case .star: self = .multiply
        case .slash: self = .divide
        case .remainder: self = .remainder
        default: return nil
        }
    }
}
