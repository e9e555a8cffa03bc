// SPDX-License-Identifier: Apache-2.0

/// What differs between the languages in which queries are written: lexical syntax, how declarations look, and the names
/// of the calls of their libraries for Firestore.
package struct Language: Sendable {
    /// How code stands inside a string.
    enum Interpolation {
        case none
        /// `${code}`
        case dollarBraces
        /// `$name` and `${code}`
        case dollarNames
        /// `\(code)`
        case backslash
        /// `{code}`, in strings with a prefix
        case braces
        /// `$name` and `{$code}`
        case phpNames
    }

    enum Quote {
        case string
        /// Without interpolation.
        case literal
        /// Over several lines, with `${code}`.
        case template
        /// Without escapes.
        case raw
    }

    enum Prefix {
        case raw, interpolated, hash, plain
    }

    /// How blocks are written.
    enum Blocks {
        case braces
        case indentation
    }

    /// What braces mean where a value is expected.
    enum Braces {
        /// `{key: value}`
        case object
        /// `{ code }`
        case closure
        /// Nothing: they belong to a statement.
        case statement
    }

    package let name: String
    package let fileExtensions: [String]
    var lineComments = ["//"]
    var hasBlockComments = true
    var nestsComments = false
    /// Whether lines such as `#if DEBUG` tell the compiler what to read.
    var hasConditionalLines = false
    var quotes: [UInt8: Quote] = [UInt8(ascii: "\""): .string]
    var prefixes: [UInt8: Prefix] = [:]
    var hasTripleQuotes = false
    var interpolation = Interpolation.none
    var hasDollarNames = false
    /// Whether names may be as long as `\Google\Cloud\Firestore\Query`.
    var hasQualifiedNames = false
    var hasRegularExpressions = false
    var hasElvis = false
    /// Whether backticks quote names.
    var quotesNames = false
    var blocks = Blocks.braces
    var braces = Braces.statement
    /// Words that introduce a function, such as `func`.
    var functionWords: Set<String> = []
    /// Words that declare a variable, such as `let`.
    var declarationWords: Set<String> = []
    /// Whether `name(…) {` defines a method.
    var hasBareMethods = false
    /// Whether types follow names after a colon.
    var hasTypeAnnotations = false
    /// Whether `Type name = value` declares a variable.
    var hasLeadingTypes = false
    /// Whether `name = value` in arguments is a label.
    var hasEqualsLabels = false
    /// Whether a statement `=` makes a variable of the function, not of the block.
    var hasFunctionScope = false
    /// Whether other files can add properties to queries.
    var hasExtensionProperties = false
    /// The mark that joins strings beside `+`.
    var concatenation = "+"
    /// The marks between an object and its member.
    var memberMarks: Set<String> = [".", "?."]
    /// The names of methods and functions, and what they do to a query.
    var calls: [String: Call] = [:]
    /// Names of functions, not methods, that make parts of queries.
    var functions: [String: Call] = [:]

    package static let all: [Language] = [
        .javaScript, .swift, .kotlin, .java, .dart, .python, .go, .cSharp, .php,
    ]

    /// The language of files with this extension.
    package static func named(byExtension fileExtension: String) -> Language? {
        all.first { $0.fileExtensions.contains(fileExtension) }
    }
}
