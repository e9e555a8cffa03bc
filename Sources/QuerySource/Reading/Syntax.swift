// SPDX-License-Identifier: Apache-2.0

/// An expression and the offset of its first token.
struct Expression {
    let offset: Int
    let kind: Kind

    indirect enum Kind {
        case text(String)
        case number(String)
        case flag(Bool)
        case null
        /// A string with interpolation. Nil: code.
        case template([TemplatePart])
        case name(String)
        /// `.name`, whose object is implied.
        case implicitMember(String)
        case member(Expression, String)
        case call(Expression, [Argument])
        case index(Expression, Expression)
        case list([Argument])
        /// `{key: value}`
        case fields([Argument])
        case function(Function)
        /// One of several, with the condition for the first.
        case choice([Expression], condition: Condition?)
        /// The last part where the ones before it hold, else nothing.
        case guarded([Expression], Expression, condition: Condition?)
        case concatenation([Expression])
        case assignment(Target, Expression)
        /// What cannot be a part of a query; its parts may contain queries.
        case other([Expression])
        /// `?`, a value that the text does not say.
        case placeholder
    }

    enum TemplatePart {
        case text(String)
        case code(Expression)
    }
}

struct Argument {
    /// Nil for a positional argument; the key in an object.
    var label: String?
    var isSpread = false
    let value: Expression
}

/// What is assigned to.
enum Target {
    /// A variable, new in this block if it is declared here.
    case variable(String, isDeclared: Bool)
    /// A field of an object, such as `this.query`.
    case member(String)
    /// Several variables, whose values are not followed.
    case several([String])
}

final class Function {
    let name: String?
    let parameters: [Parameter]
    let body: [Statement]
    let offset: Int
    /// Whether nobody outside the file can call it.
    let isLocal: Bool
    /// Whether what it gives may be a query or a part of one.
    let isTelling: Bool

    init(
        name: String?, parameters: [Parameter], body: [Statement], offset: Int, isLocal: Bool, isTelling: Bool = true
    ) {
        (self.name, self.parameters, self.body, self.offset) = (name, parameters, body, offset)
        (self.isLocal, self.isTelling) = (isLocal, isTelling)
    }
}

struct Parameter {
    let name: String
    /// The label at calls; nil if it has the name.
    let label: String?
    let byDefault: Expression?
    /// Whether it takes all arguments that are left.
    var isRest = false
}

indirect enum Statement {
    case expression(Expression)
    /// Alternatives, with the condition of the first. `isComplete`: one of them runs.
    case branch([[Statement]], isComplete: Bool, condition: Condition?)
    /// As a branch, but what is declared in the ways is known behind them.
    case ways([[Statement]], isComplete: Bool, condition: Condition?)
    /// It runs any number of times.
    case loop([Statement])
    case block([Statement])
    /// `try` with its handlers, which may run after any part of the body, and with what runs in any case.
    case attempt([Statement], handlers: [[Statement]], finally: [Statement])
    /// A class or another type: its fields are known in its methods.
    case type(name: String?, [Statement], offset: Int)
    case function(Function)
    /// Declares a variable without a value.
    case unset(String)
    /// Declares that the function assigns to these variables of outer scopes.
    case outerNames([String])
    /// Gives a value from a function, or leaves a block.
    case exit(Expression?, isReturn: Bool)
}

extension Statement {
    /// Where it is, if it has a place of its own.
    var offset: Int? {
        switch self {
        case .expression(let expression), .exit(let expression?, _): expression.offset
        case .function(let function): function.offset
        case .type(_, _, let offset): offset
        default: nil
        }
    }
}
