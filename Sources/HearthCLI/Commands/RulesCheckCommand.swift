// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog
internal import JSONText
internal import SecurityRules

struct RulesCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compile security rules and list what the compiler says.",
        discussion: """
            Lists errors and warnings of all files in the words and at the places of the official compiler. Ends with 1 if \
            there are errors, with --strict also if there are warnings.

            Examples:
              hearth rules check firestore.rules
              hearth rules check --format github --strict firestore.rules
            """)

    @Argument(help: "Rules files; - for standard input.", completion: .file(extensions: ["rules"]))
    var files: [String]
    @Option(help: "text, json (one finding a line), sarif (2.1.0), or github (annotations).")
    var format = FindingFormat.text
    @Flag(help: "End with 1 on warnings too.")
    var strict = false

    func run() throws {
        var list = FindingList()
        var checked = 0
        for path in files {
            do {
                let file = try RulesFile(path)
                for issue in RuleSet.compile(file.text).issues { list.add(file.finding(issue)) }
                checked += 1
            } catch {
                list.notice(.error, error.message)
            }
        }
        FindingPrinter(format, fileCount: checked).write(list, to: Output())
        if checked < files.count { throw ExitCode.couldNotRun }
        if list.count(.error) > 0 || (strict && list.count(.warning) > 0) { throw ExitCode.found }
    }
}
