// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SecurityRules

/// Security rules of Cloud Firestore: who may read and write which documents.
///
/// ```swift
/// database.securityRules = try SecurityRules(contentsOf: URL(filePath: "firestore.rules"))
/// let notes = database.asUser(.user("alice")).collection("notes")
/// ```
///
/// The language is that of `firestore.rules`, in both versions. Compiling takes longer than deciding, so keep the value.
public struct SecurityRules: Sendable {
    let compiled: RuleSet

    /// Compiles a source.
    ///
    /// - Throws: ``SecurityRulesError`` with the place of each error. Rules of other services alone, such as Cloud Storage's, are
    ///   one.
    public init(_ source: String) throws {
        let (rules, issues) = RuleSet.compile(source, refusesOtherServices: true)
        guard let rules else {
            throw SecurityRulesError(issues: issues.filter { $0.severity == .error }.map(Issue.init))
        }
        compiled = rules
    }

    /// Compiles a file.
    ///
    /// - Throws: ``SecurityRulesError`` with the place of each error; errors of Foundation if the file cannot be read.
    public init(contentsOf file: URL) throws {
        try self.init(try String(contentsOf: file, encoding: .utf8))
    }

    /// What the official compiler warns of, such as names that do not exist.
    public var warnings: [Issue] { compiled.issues.map(Issue.init) }

    /// An error or a warning, in the words and at the place of the official compiler.
    public struct Issue: Sendable, Hashable, CustomStringConvertible {
        /// The line, from 1; nil if the issue has no place.
        public let line: Int?
        /// The column in characters, from 1; nil if the issue has no place.
        public let column: Int?
        /// What is wrong.
        public let message: String

        /// `5:22: Unexpected 'x'.`
        public var description: String {
            if let line, let column { "\(line):\(column): \(message)" } else { message }
        }

        fileprivate init(_ issue: RuleIssue) {
            line = issue.position?.line
            column = issue.position?.column
            message = issue.text
        }
    }
}

/// Why a source is no security rules.
public struct SecurityRulesError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The errors in the order of their places.
    public let issues: [SecurityRules.Issue]

    /// One line for each error.
    public var description: String { issues.map(\.description).joined(separator: "\n") }

    /// The text of ``description``.
    public var errorDescription: String? { description }
}
