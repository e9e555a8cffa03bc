// SPDX-License-Identifier: Apache-2.0

/// Which declarations, by their offsets, have words that tell who sees and changes them.
struct DeclarationMarks {
    /// Private to their file or type.
    private(set) var hidden: Set<Int> = []
    /// Those of a module of JavaScript that others may import.
    private(set) var exported: Set<Int> = []
    /// Variables to which a value may be assigned later.
    private(set) var variables: Set<Int> = []

    mutating func hide(_ statements: [Statement]) { hidden.formUnion(statements.compactMap(\.declaration)) }

    mutating func export(_ statements: [Statement]) { exported.formUnion(statements.compactMap(\.declaration)) }

    mutating func vary(_ statements: [Statement]) { variables.formUnion(statements.compactMap(\.declaration)) }
}

extension Statement {
    /// The offset of a variable or a type that is declared here.
    var declaration: Int? {
        switch self {
        case .expression(let expression): expression.offset
        case .type(_, _, let offset): offset
        default: nil
        }
    }
}
