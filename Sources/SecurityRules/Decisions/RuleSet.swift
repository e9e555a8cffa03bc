// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import JSONText

/// Compiled security rules. Compiling is slow, deciding is fast.
package struct RuleSet: Sendable {
    /// What the compiler says: warnings only, in the order of their places.
    package let issues: [RuleIssue]
    let program: Program
    /// What allows reads because of who the caller is.
    package let callerTests: CallerTests
    /// What was compiled.
    let source: RuleSource
    let lines: LineMap

    /// Compiles a source as the official compiler does. Without errors there are rules, with them there are none.
    /// - Parameter refusesOtherServices: whether rules of other services alone, such as Cloud Storage's, are an error too. The
    ///   official compiler takes them, and they deny every request to Firestore.
    package static func compile(
        _ source: String, refusesOtherServices: Bool = false
    ) -> (rules: RuleSet?, issues: [RuleIssue]) {
        let parsed = parse(source)
        if refusesOtherServices, let error = parsed.tree?.otherService {
            return (nil, RuleIssue.sorted(parsed.issues + [error]))
        }
        return (parsed.tree.map { RuleSet(source, $0, parsed.issues) }, parsed.issues)
    }

    /// The errors of syntax and structure of a source. The official compiler looks for them in all files of rules, and only if there
    /// are none at the names and types of the first file.
    package static func structuralErrors(of source: String) -> [RuleIssue] {
        let parsed = Parser.parse(source)
        guard let tree = parsed.tree else { return parsed.issues }
        return RuleIssue.sorted(Array(Set(Checker.structuralErrors(of: tree))))
    }

    /// The rules and what they were compiled from; nil if the source does not compile.
    static func read(_ source: String) -> (rules: RuleSet, tree: SyntaxTree)? {
        let parsed = parse(source)
        return parsed.tree.map { (RuleSet(source, $0, parsed.issues), $0) }
    }

    /// The tree of a source without errors.
    private static func parse(_ source: String) -> (tree: SyntaxTree?, issues: [RuleIssue]) {
        let parsed = Parser.parse(source)
        guard let tree = parsed.tree else { return (nil, parsed.issues) }
        let issues = RuleIssue.sorted(parsed.issues + Set(Checker.check(tree)))
        return (issues.contains { $0.severity == .error } ? nil : tree, issues)
    }

    /// - Parameter tree: that of the source, or one with other expressions in the same places.
    init(_ source: String, _ tree: SyntaxTree, _ issues: [RuleIssue]) {
        self.issues = issues
        program = ProgramBuilder.build(tree)
        callerTests = CallerTests(program)
        self.source = RuleSource(source)
        lines = LineMap(self.source.bytes)
    }

    /// Decides a request as the official emulator does.
    /// - Parameter documents: a stored document's fields, nil if it is missing. It is called only if the request cannot
    ///   be decided without.
    package func decide(_ request: RuleRequest, documents: @escaping (ResourcePath) -> Fields?) -> Decision {
        DecisionMaker.decide(program, request, stored: documents)
    }
}

extension SyntaxTree {
    /// The error of a source that has rules, but none of Cloud Firestore.
    fileprivate var otherService: RuleIssue? {
        guard let name = services.first?.name, services.allSatisfy({ $0.name.text != "cloud.firestore" }) else {
            return nil
        }
        return .error(name.position, "These are rules of \(name.text): Firestore's begin with service cloud.firestore.")
    }
}
