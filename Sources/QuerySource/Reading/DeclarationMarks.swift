// SPDX-License-Identifier: Apache-2.0

/// Which declarations, by their offsets, have words that tell who sees and changes them.
struct DeclarationMarks {
    /// Private to their file or type.
    private(set) var hidden: Set<Int> = []
    /// Those of a module of JavaScript that others may import.
    private(set) var exported: Set<Int> = []
    /// Variables to which a value may be assigned later.
    private(set) var variables: Set<Int> = []

    mutating func hide(_ statements: [Statement]) { hidden.formUnion(statements.compactMap(\.offset)) }

    mutating func export(_ statements: [Statement]) { exported.formUnion(statements.compactMap(\.offset)) }

    mutating func vary(_ statements: [Statement]) { variables.formUnion(statements.compactMap(\.offset)) }
}
