// SPDX-License-Identifier: Apache-2.0

/// The variables of a file, a type, a function or a block.
struct Scope {
    enum Kind: Equatable {
        case file
        case type(Int)
        case function
        case block
    }

    struct Variable {
        var value: Alternatives
        /// Which assignment gave it its value.
        var version: Int
        /// Whether it is what the function has set a field to. Other functions may set the field to other values.
        var isField = false
    }

    /// A variable, by the place of its scope.
    struct Place: Hashable {
        let scope: Int
        let name: String
    }

    let kind: Kind
    var variables: [String: Variable] = [:]
    /// Variables of outer scopes to which a function assigns, as by Python's `global`.
    var outerNames: Set<String> = []
}
