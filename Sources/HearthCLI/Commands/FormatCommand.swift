// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog
internal import JSONText

struct FormatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fmt",
        abstract: "Print an index file in its canonical form.",
        discussion: """
            Entries are in the order of the official tool, indented by two spaces; legacy forms are upgraded. Entries with \
            errors stay as they are, at the end, and the command ends with 1. Comments are lost: --write does not change \
            a file with comments unless --drop-comments is given.

            Examples:
              hearth fmt firestore.indexes.json
              hearth fmt firestore.indexes.json --write
              hearth fmt firestore.indexes.json --check
            """)

    @Argument(help: "An index file; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String
    @OptionGroup var database: EditionOption
    @Flag(help: "Print nothing; end with 1 if the file is not in its canonical form.")
    var check = false
    @Flag(help: "Write the canonical form back to the file.")
    var write = false
    @Flag(help: "With --write: remove comments.")
    var dropComments = false

    func validate() throws {
        if check, write { throw ValidationError("--check and --write exclude each other") }
        if write, file == "-" { throw ValidationError("--write needs a file: standard input has no name") }
    }

    func run() throws {
        let input = try ConfigurationFile.usable(file, appendingNameBy: .officialTool, edition: database.edition)
        guard ConfigurationForm.of(input.source) == .json else {
            throw CommandFailure("\"\(file)\" is no index file; hearth convert --to json makes one of it")
        }
        let node = try ConfigurationFormatter.node(
            input.source, for: input.edition, except: input.settings.harmless)
        let canonical = ControlCharacters.escaped(Array((node.text(.indented) + "\n").utf8))
        let isCanonical = canonical == input.source
        if check {
            guard !isCanonical else { return try input.endAsRead() }
            Output().line(notCanonical(input.source))
            throw ExitCode.found
        }
        if !write {
            Output().text(String(decoding: canonical, as: UTF8.self))
        } else if !isCanonical {
            if !dropComments, FormatCommand.hasComments(input.source) {
                throw CommandFailure("\"\(file)\" has comments, which would be lost; --drop-comments removes them")
            }
            try OutputFile.replace(file, canonical)
        }
        try input.endAsRead()
    }

    private func notCanonical(_ source: [UInt8]) -> String {
        if file == "-" { return "standard input is not in its canonical form; hearth fmt - prints that" }
        let message = "\(file) is not in its canonical form"
        return FormatCommand.hasComments(source)
            ? "\(message), which has no comments; hearth fmt --write --drop-comments \(file) writes it without them"
            : "\(message); hearth fmt --write \(file) writes it"
    }

    /// Text that parses only if comments are allowed has some.
    private static func hasComments(_ source: [UInt8]) -> Bool {
        (try? JSONParser.parse(source)) == nil
    }
}
