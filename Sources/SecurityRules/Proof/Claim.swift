// SPDX-License-Identifier: Apache-2.0

/// What somebody claims of rules: `users/{uid}: write only if request.auth.uid == uid`, or `secrets/{id}: read never`.
package struct Claim: Sendable {
    package struct SyntaxError: Error {
        package let message: String
    }

    /// As written.
    package let text: String
    let methods: MethodSet
    /// Rules that allow exactly what the claim admits.
    let rules: RuleSet
    /// Their source.
    package let source: String

    package init(parsing text: String) throws(SyntaxError) {
        self.text = text
        guard let colon = text.firstIndex(of: ":") else { throw Claim.malformed }
        let path = text[..<colon].split(separator: " ").joined()
        let words = text[text.index(after: colon)...].split(separator: " ", omittingEmptySubsequences: true)
        guard let end = words.firstIndex(where: { $0 == "only" || $0 == "never" }), end > 0 else {
            throw Claim.malformed
        }
        let names = words[..<end].joined().split(separator: ",").map(String.init)
        methods = names.reduce(into: []) { $0.formUnion(MethodSet(name: $1) ?? []) }
        guard names.allSatisfy({ MethodSet(name: $0) != nil }) else {
            throw SyntaxError(message: "the methods are read, get, list, write, create, update and delete")
        }
        let condition = try Claim.condition(words[end...], of: text)
        let source = """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                match /\(path.drop { $0 == "/" }) {
                  allow \(names.joined(separator: ", ")): if \(condition);
                }
              }
            }
            """
        let compiled = RuleSet.compile(source)
        guard let rules = compiled.rules else {
            let error = compiled.issues.first { $0.severity == .error }
            throw SyntaxError(message: "it does not compile: \(error?.text ?? "")")
        }
        if let warning = compiled.issues.first(where: { $0.text.hasPrefix("Invalid") }) {
            throw SyntaxError(message: warning.text)
        }
        self.rules = rules
        self.source = source
    }

    /// - Parameter words: of the text, from `only` or `never` on.
    private static func condition(_ words: ArraySlice<Substring>, of text: String) throws(SyntaxError) -> Substring {
        if words.first == "never" {
            guard words.count == 1 else { throw malformed }
            return "false"
        }
        guard words.count > 2, words.dropFirst().first == "if", let last = words.last else { throw malformed }
        // As written: blanks within a string count.
        return text[words[words.startIndex + 2].startIndex..<last.endIndex]
    }

    private static let malformed = SyntaxError(
        message: "a claim is PATH: METHODS only if CONDITION, or PATH: METHODS never, such as "
            + "\"users/{uid}: write only if request.auth.uid == uid\"")
}
