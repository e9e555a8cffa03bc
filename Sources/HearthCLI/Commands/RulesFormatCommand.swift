// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SecurityRules

struct RulesFormatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fmt",
        abstract: "Print security rules in their canonical form.",
        discussion: """
            The style is that of the official documentation: two spaces a level, a declaration a line, a semicolon after \
            each statement. Comments stay, and so do line breaks within conditions and single blank lines; && and || \
            begin lines. What the rules decide does not change.

            Examples:
              hearth rules fmt firestore.rules
              hearth rules fmt firestore.rules --write
              hearth rules fmt firestore.rules --check
            """)

    @Argument(help: "A rules file; - for standard input.", completion: .file(extensions: ["rules"]))
    var file: String
    @Flag(help: "Print nothing; end with 1 if the file is not in its canonical form.")
    var check = false
    @Flag(help: "Write the canonical form back to the file.")
    var write = false

    func validate() throws {
        if check, write { throw ValidationError("--check and --write exclude each other") }
        if write, file == "-" { throw ValidationError("--write needs a file: standard input has no name") }
    }

    func run() throws {
        let input = try RulesFile(file)
        guard let formatted = RulesFormatter.formatted(input.text) else { throw input.refusal }
        let isCanonical = formatted == input.text
        if check {
            guard !isCanonical else { return }
            Output().line("\(file) is not in its canonical form")
            throw ExitCode.found
        }
        guard write else { return Output(asData: true).text(formatted) }
        if !isCanonical { try OutputFile.replace(file, Array(formatted.utf8)) }
    }
}
