// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel

struct ShellCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Ask a database one query after another.",
        discussion: """
            A line is a query, as text or JSON, or a command that begins with a full stop; .help lists them. The Tab key \
            completes collections, fields and calls, and the arrows bring back earlier lines. .apply builds the index that \
            the last query lacked; --read-only forbids it.

            Lines that come from a file or a pipe are answered in turn, and the command ends with 1 if one failed.

            Examples:
              hearth shell my.db
              hearth shell my.db --format json < queries.txt
            """)

    @OptionGroup var database: DatabaseArgument
    @Option(help: "table or json (default: table on a terminal, else json), or plain, csv or ndjson.")
    var format: RowFormat?
    @Flag(help: "Build no index.")
    var readOnly = false

    func run() throws {
        let isTerminal = System.isTerminal(System.standardInput) && System.isTerminal(System.standardOutput)
        let format = format ?? (System.isTerminal(System.standardOutput) ? .table : .json)
        let code = try database.open(readOnly ? .reading : .writing) { engine in
            let session = ShellSession(engine, format)
            if isTerminal, System.environment("TERM") != "dumb" {
                converse(session)
                return Int32(0)
            }
            var lines = try InputFile("-").lines()
            while let line = try lines.next() {
                guard case .bytes(let range) = line else { throw CommandFailure("line \(lines.number) is too long") }
                guard session.answer(String(decoding: lines.buffer[range], as: UTF8.self)) else { break }
            }
            return session.exitCode
        }
        if code != 0 { throw ExitCode(code) }
    }

    private func converse(_ session: ShellSession) {
        var editor = LineEditor(prompt: "hearth> ", history: LineHistory(LineHistory.usualPath))
        while let line = editor.line(session.completion), session.answer(line) {}
    }
}
