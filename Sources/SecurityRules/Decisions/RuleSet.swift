// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Compiled security rules. Compiling is slow, deciding is fast.
package struct RuleSet: Sendable {
    /// What the compiler says: warnings only, in the order of their places.
    package let issues: [RuleIssue]
    let program: Program
    /// What was compiled.
    let source: RuleSource

    /// Compiles a source. Without errors there are rules, with them there are none.
    package static func compile(_ source: String) -> (rules: RuleSet?, issues: [RuleIssue]) {
        let parsed = Parser.parse(source)
        guard let tree = parsed.tree else { return (nil, parsed.issues) }
        let issues = RuleIssue.sorted(parsed.issues + Set(Checker.check(tree)))
        guard !issues.contains(where: { $0.severity == .error }) else { return (nil, issues) }
        return (RuleSet(issues: issues, program: ProgramBuilder.build(tree), source: RuleSource(source)), issues)
    }

    /// Decides a request as the official emulator does.
    /// - Parameter documents: a stored document's fields, nil if it is missing. It is called only if the request cannot
    ///   be decided without.
    package func decide(_ request: RuleRequest, documents: @escaping (ResourcePath) -> Fields?) -> Decision {
        DecisionMaker.decide(program, request, stored: documents)
    }
}
