// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import JSONText
internal import SecurityRules

struct RulesProveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove",
        abstract: "Look for a request that security rules allow although a claim says that they do not.",
        discussion: """
            A claim is PATH: METHODS only if CONDITION, or PATH: METHODS never. PATH is that of a match below \
            /databases/{database}/documents, METHODS are those of allow, and CONDITION is one of the rules language.

            For each statement that may allow such a request, requests are made up: callers, documents and fields that \
            fulfil its condition and not the claim. The search is bounded, and always the same: that it finds nothing is \
            no proof. A counterexample is a case of hearth rules test. Ends with 1 if there is one.

            Examples:
              hearth rules prove firestore.rules \\
                --claim "users/{uid}: write only if request.auth.uid == uid"
              hearth rules prove firestore.rules --format json \\
                --claim "secrets/{id}: read, write never"
            """)

    @Argument(help: "A rules file; - for standard input.", completion: .file(extensions: ["rules"]))
    var file: String
    @Option(
        name: .customLong("claim"),
        help: ArgumentHelp("What no request may contradict; may be repeated.", valueName: "claim"))
    var claims: [String]
    @Option(help: "text or json (one claim a line).")
    var format = TextFormat.text

    func run() throws {
        let parsed = try claims.map(RulesProveCommand.claim)
        let input = try RulesFile(file)
        guard let prover = Prover(input.text, time: Timestamp(microseconds: System.now()) ?? .minimum) else {
            throw input.refusal
        }
        let output = Output()
        var isRefuted = false
        for claim in parsed {
            let (found, bound) = prover.search(claim)
            if found != nil { isRefuted = true }
            if bound.statements == 0 {
                Diagnostics.write(
                    "hearth: warning: no allow of these methods is for documents of this path, or for documents at all: \(claim.text)"
                )
            }
            switch format {
            case .json: output.line(RulesProveCommand.node(claim, found, bound).text())
            case .text: RulesProveCommand.write(claim, found, bound, to: output)
            }
        }
        if isRefuted { throw ExitCode.found }
    }

    private static func claim(_ text: String) throws -> Claim {
        do { return try Claim(parsing: text) } catch { throw ValidationError("\"\(text)\": \(error.message)") }
    }

    private static func words(_ bound: Prover.Bound) -> String {
        "\(Numbers.counted(bound.requests, "request")) to \(Numbers.counted(bound.statements, "statement"))"
    }

    private static func write(
        _ claim: Claim, _ found: Prover.Counterexample?, _ bound: Prover.Bound, to output: Output
    ) {
        let style = Style.of(System.standardOutput)
        guard let found else {
            return output.line("\(style.green("no counterexample")) within \(words(bound)): \(claim.text)")
        }
        output.line("\(style.red("refuted")): \(claim.text)")
        output.line("  line \(found.line) allows \(found.method.rawValue) of \(found.document)")
        let request = found.testCase["request"]
        output.line("  by: \(request?["auth"].map { $0.isNull ? "nobody" : $0.text() } ?? "nobody")")
        let documents = found.testCase["documents"]?.members ?? []
        for document in documents { output.line("  stored: \(document.key) \(document.node.text())") }
        if let data = request?["data"] { output.line("  written: \(data.text())") }
        if let transforms = request?["transforms"] { output.line("  transforms: \(transforms.text())") }
        if let query = request?["query"] { output.line("  query: \(query.text())") }
    }

    private static func node(_ claim: Claim, _ found: Prover.Counterexample?, _ bound: Prover.Bound) -> JSONNode {
        var members = [
            JSONMember(key: "claim", node: .string(claim.text)),
            JSONMember(key: "refuted", node: .boolean(found != nil)),
            JSONMember(key: "statements", node: .integer(Int64(bound.statements))),
            JSONMember(key: "requests", node: .integer(Int64(bound.requests))),
        ]
        if let found {
            members.append(JSONMember(key: "line", node: .integer(Int64(found.line))))
            members.append(JSONMember(key: "counterexample", node: found.testCase))
        }
        return JSONNode(.object(members))
    }
}
