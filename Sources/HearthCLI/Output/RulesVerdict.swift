// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import QueryPlanner
internal import SecurityRules

/// Says of queries whether a file of security rules allows them.
struct RulesVerdict {
    private let judge: QueryJudge

    /// - Parameter path: a file of rules that compile.
    init(rules path: String) throws(CommandFailure) {
        let file = try RulesFile(path)
        _ = try file.compiled()
        guard let judge = QueryJudge(file.text, time: Timestamp(microseconds: System.now()) ?? .minimum) else {
            throw file.refusal
        }
        self.judge = judge
    }

    func verdict(_ query: Query) -> QueryJudge.Verdict { judge.judge(query) }

    /// Whether no user may run the query, whatever the claims and the documents are.
    static func isDenied(_ verdict: QueryJudge.Verdict) -> Bool { !verdict.user && !verdict.depends }

    /// The member `rules` of a line of JSON.
    ///
    /// - Parameter applies: whether rules are asked about the query at all.
    static func node(_ verdict: QueryJudge.Verdict, applies: Bool) -> JSONNode {
        var members = [
            JSONMember(key: "nobody", node: .boolean(verdict.nobody)),
            JSONMember(key: "user", node: .boolean(verdict.user)),
        ]
        if verdict.depends { members.append(JSONMember(key: "depends", node: .boolean(true))) }
        if let because = verdict.because { members.append(JSONMember(key: "because", node: .string(because))) }
        if let addition = verdict.wouldAllow { members.append(JSONMember(key: "wouldAllow", node: .string(addition))) }
        if !applies { members.append(JSONMember(key: "applies", node: .boolean(false))) }
        return JSONNode(.object(members))
    }

    /// For people: who may run the query, and what it lacks.
    static func sentence(_ verdict: QueryJudge.Verdict) -> String {
        let because = verdict.because.map { ": \($0)" } ?? ""
        if verdict.nobody { return "rules: everybody may run it" }
        if verdict.user { return "rules: users who are signed in may run it\(because)" }
        let addition = verdict.wouldAllow.map { ". Allowed with .\($0)" } ?? ""
        return "rules: \(verdict.depends ? "it depends on the user" : "denied")\(because)\(addition)"
    }
}
