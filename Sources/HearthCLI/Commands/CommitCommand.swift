// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import JSONText

struct CommitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "commit",
        abstract: "Apply writes in the form of Firestore's REST API, each line one atomic commit.",
        discussion: """
            A line is {"id":"w1","writes":[…]} with REST Write objects: update, delete, verify, updateMask, \
            updateTransforms, currentDocument. For each line, one line is printed: commit time and results, or an error, \
            in which case the database is unchanged. Results are printed before the command waits for more input.

            Examples:
              hearth commit my.db writes.ndjson
              echo '{"writes":[{"delete":"cities/SF"}]}' | hearth commit my.db -
            """)

    @OptionGroup var database: DatabaseArgument
    @Argument(help: "A file with one commit a line; - for standard input.", completion: .file())
    var file: String

    func run() throws {
        let input = try InputFile(file)
        try database.open(.creating(nil)) { engine in
            let output = Output()
            var lines = input.lines { output.flush() }
            var code: Int32 = 0
            while let line = try lines.next() {
                guard case .bytes(let range) = line else {
                    throw CommandFailure("\"\(file)\": line \(lines.number) is too long")
                }
                guard !lines.buffer[range].allSatisfy({ $0 <= 0x20 }) else { continue }
                let (id, outcome) = CommitCommand.outcome(lines.buffer.span.extracting(range), lines.number, engine)
                if case .failure(let error) = outcome { code = max(code, error.exitCode) }
                output.line(CommitCommand.json(id, outcome, engine.database))
            }
            if code != 0 { throw ExitCode(code) }
        }
    }

    private static func outcome(
        _ line: Span<UInt8>, _ number: Int, _ engine: Engine
    ) -> (JSONNode, Result<CommitResult, EngineError>) {
        var id = JSONNode.string(String(number))
        do {
            let node = try JSONParser.parse(line)
            id = node["id"] ?? id
            guard let writes = node["writes"] else { throw DocumentFormError("A commit has \"writes\".", offset: 0) }
            return (id, .success(try engine.commit(try WriteJSON.read(writes, .fullOrRelative(in: engine.database)))))
        } catch let error as EngineError {
            return (id, .failure(error))
        } catch let error as DocumentFormError {
            return (id, .failure(EngineError(error)))
        } catch let error as JSONSyntaxError {
            return (id, .failure(.refused(.invalidArgument, "Line \(number) is no JSON: \(error.message)")))
        } catch {
            return (id, .failure(.refused(.internal, "\(error)")))
        }
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
