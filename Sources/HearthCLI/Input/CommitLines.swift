// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import JSONText

/// The commits of a file, one a line: `{"id":"w1","writes":[…]}`.
struct CommitLines {
    struct Commit {
        /// The ID of its answer: that of the line, or the line's number.
        let id: JSONNode
        fileprivate let node: Result<JSONNode, EngineError>

        /// Its writes, or what is wrong with the line.
        func writes(in database: DatabaseID) -> Result<[Write], EngineError> {
            node.flatMap { node in
                do throws(DocumentFormError) {
                    return .success(try WriteJSON.read(node, .fullOrRelative(in: database)))
                } catch {
                    return .failure(EngineError(error))
                }
            }
        }
    }

    private var lines: LineReader
    private let path: String

    init(_ lines: LineReader, _ path: String) {
        self.lines = lines
        self.path = path
    }

    /// The next commit; nil at the end.
    mutating func next() throws -> Commit? {
        while let line = try lines.next() {
            guard case .bytes(let range) = line else {
                throw CommandFailure("\"\(path)\": line \(lines.number) is too long")
            }
            let buffer = lines.buffer
            guard !buffer[range].allSatisfy({ $0 <= 0x20 }) else { continue }
            return CommitLines.commit(buffer.span.extracting(range), lines.number)
        }
        return nil
    }

    private static func commit(_ line: Span<UInt8>, _ number: Int) -> Commit {
        let id = JSONNode.string(String(number))
        let node: JSONNode
        do throws(JSONSyntaxError) {
            node = try JSONParser.parse(line)
        } catch {
            let reason = "Line \(number) is no JSON: \(error.message)"
            return Commit(id: id, node: .failure(.refused(.invalidArgument, reason)))
        }
        guard let writes = node["writes"] else {
            return Commit(
                id: node["id"] ?? id, node: .failure(.refused(.invalidArgument, "A commit has \"writes\".")))
        }
        return Commit(id: node["id"] ?? id, node: .success(writes))
    }
}
