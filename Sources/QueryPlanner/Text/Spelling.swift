// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

/// What a misspelt word of a query should have been.
enum Spelling {
    /// The end of a message: a question, or all words.
    static func advice(_ word: String, among words: [String]) -> String {
        if let meant = signs[word] ?? nearestWord(to: word, among: words) { return "; did you mean '\(meant)'?" }
        return "; there are \(words.dropLast().joined(separator: ", ")) and \(words.last ?? "")"
    }

    /// Signs of other languages.
    private static let signs = ["=": "==", "===": "==", "!==": "!=", "<>": "!=", "=<": "<=", "=>": ">="]
}
