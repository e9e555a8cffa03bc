// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import JSONText
internal import SecurityRules

struct RulesExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show how security rules decide a request.",
        discussion: """
            Prints each statement that was tried with a tree of what was evaluated and, for a refused query, the filters that \
            would make it allowed. The request is an object as in the cases of hearth rules test; "documents" in it are the \
            stored documents by path, else those of --db are read. What reading alone can decide is open at first; then \
            documents are read and the statements tried again.

            Ends with 1 if the request is refused.

            Examples:
              hearth rules explain firestore.rules \\
                --request '{"method":"get","path":"users/a","auth":{"uid":"a"}}'
              hearth rules explain firestore.rules --db my.db \\
                --request '{"method":"list","query":{"from":[{"collectionId":"posts"}]}}'
            """)

    @Argument(help: "The rules; - for standard input.", completion: .file(extensions: ["rules"]))
    var file: String
    @Option(help: ArgumentHelp("The request.", valueName: "json"))
    var request: String
    @Option(name: .customLong("db"), help: ArgumentHelp("The database whose documents are read.", valueName: "db"))
    var database: String?
    @Option(help: "text or json.")
    var format = TextFormat.text

    func run() throws {
        let rules = try RulesFile(file).compiled()
        let answer: RuleCaseAnswer
        if let database {
            answer = try DatabaseArgument(database).open(.reading) { engine in
                try self.answer(rules) { path in
                    guard path.count > 0, path.count % 2 == 0 else { return nil }
                    return (try? engine.document(DocumentPath(path)))?.fields
                }
            }
        } else {
            answer = try self.answer(rules) { _ in nil }
        }
        guard answer.status != .invalidArgument else {
            throw ValidationError("--request is not valid: \(answer.message)")
        }
        let tree = RuleTree(answer, Style.of(1))
        if format == .json { Output().line(tree.json.text()) } else { for line in tree.lines { Output().line(line) } }
        if !answer.isAllowed { throw ExitCode.found }
    }

    private func answer(_ rules: RuleSet, _ stored: @escaping (ResourcePath) -> Fields?) throws -> RuleCaseAnswer {
        let node: JSONNode
        do { node = try JSONParser.parse(Array(request.utf8)) } catch {
            throw ValidationError("--request is no JSON: \(error.message)")
        }
        let members = [
            JSONMember(key: "request", node: node),
            JSONMember(key: "documents", node: node["documents"] ?? .object([:])),
        ]
        let runner = RuleCaseRunner(
            rules: rules, time: Timestamp(microseconds: System.now()) ?? .minimum, detail: .advice, stored: stored)
        do throws(DocumentFormError) {
            return try runner.run(try RuleCase(JSONNode(.object(members)), fixtures: nil))
        } catch {
            throw ValidationError("--request: \(error.message)")
        }
    }
}
