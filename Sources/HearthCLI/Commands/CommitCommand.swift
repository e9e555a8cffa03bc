// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import JSONText

struct CommitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "commit",
        abstract: """
            Apply writes in the form of Firestore's REST API, each line one atomic commit; creates the database if it is missing.
            """,
        discussion: """
            A line is {"id":"w1","writes":[…]} with REST Write objects: update, delete, verify, updateMask, \
            updateTransforms, currentDocument. For each line, one line is printed: commit time and results, or an error, \
            in which case the database is unchanged. Results are printed before the command waits for more input.

            A missing database is made for the first line whose writes can be read.

            Examples:
              hearth commit my.db writes.ndjson
              echo '{"writes":[{"delete":"cities/SF"}]}' | hearth commit my.db -
            """)

    @OptionGroup var database: DatabaseArgument
    @Argument(help: "A file with one commit a line; - for standard input.", completion: .file())
    var file: String

    func run() throws {
        let input = try InputFile(file)
        let answers = CommitAnswers()
        var commits = CommitLines(input.lines { answers.output.flush() }, file)
        let isMissing = !System.exists(database.path)
        let first = try isMissing ? firstToMake(&commits, answers) : nil
        if !isMissing || first != nil {
            try database.open(.creating(nil)) { engine in
                if let first { answers.write(first, engine) }
                while let commit = try commits.next() { answers.write(commit, engine) }
            }
        }
        if answers.code != 0 { throw ExitCode(answers.code) }
    }

    /// The first commit whose writes can be read. The answers to those before it need no database: a mistyped name, or a file of
    /// something else, makes none.
    private func firstToMake(_ commits: inout CommitLines, _ answers: CommitAnswers) throws -> CommitLines.Commit? {
        let identity = Engine.Options().identity
        while let commit = try commits.next() {
            switch commit.writes(in: identity) {
            case .success: return commit
            case .failure(let error): answers.write(commit.id, .failure(error), identity)
            }
        }
        Diagnostics.write("hearth: there are no writes, so \"\(database.path)\" was not made")
        return nil
    }
}

/// Prints the outcome of each commit as a line.
private final class CommitAnswers {
    let output = Output()
    private(set) var code: Int32 = 0

    /// Makes a commit's writes, and prints what came of it.
    func write(_ commit: CommitLines.Commit, _ engine: Engine) {
        let outcome: Result<CommitResult, EngineError> = commit.writes(in: engine.database).flatMap { writes in
            Result { () throws(EngineError) in try engine.commit(writes) }
        }
        write(commit.id, outcome, engine.database)
    }

    func write(_ id: JSONNode, _ outcome: Result<CommitResult, EngineError>, _ database: DatabaseID) {
        if case .failure(let error) = outcome { code = max(code, error.exitCode) }
        output.line(CommitAnswers.json(id, outcome, database))
    }

    private static func json(
        _ id: JSONNode, _ outcome: Result<CommitResult, EngineError>, _ database: DatabaseID
    ) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("id")
        writer.node(id)
        switch outcome {
        case .success(let result): write(result, to: &writer, database)
        case .failure(let error):
            writer.key("error")
            writer.beginObject()
            writer.writeStatus(error.status, error.message)
            writer.endObject()
        }
        writer.endObject()
        return writer.string
    }

    private static func write(_ result: CommitResult, to writer: inout JSONWriter, _ database: DatabaseID) {
        writer.key("commitTime")
        writer.string(result.commitTime.description)
        writer.key("writeResults")
        writer.beginArray()
        for result in result.results {
            writer.beginObject()
            if let time = result.updateTime {
                writer.key("updateTime")
                writer.string(time.description)
            }
            if !result.transformResults.isEmpty {
                writer.key("transformResults")
                writer.beginArray()
                for value in result.transformResults { ValueJSON.write(value, to: &writer, database: database) }
                writer.endArray()
            }
            writer.endObject()
        }
        writer.endArray()
    }
}
