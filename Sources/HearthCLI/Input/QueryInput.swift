// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import JSONText
internal import QueryPlanner

/// A query as it was given, and the ID of its answer.
struct QueryInput {
    /// The ID in the input, or the line number in a file if the line has none; nil for an argument without one.
    let id: JSONNode?
    /// The query text, if it was given as text.
    let text: String?
    /// The query, and the others that it can be: a query from a program's source may leave a direction open.
    let requests: Result<[QueryRequest], InvalidQueryError>
    /// The line number in a file, counted from 1.
    let line: Int
    /// How often a recorded query ran; 1 for any other.
    let count: Int

    /// The query, or the first of those that it can be.
    var request: Result<QueryRequest, InvalidQueryError> { requests.map { $0[0] } }

    /// Reads an argument: JSON if it starts with a brace, otherwise text. Malformed input is wrong usage.
    init(argument: String, database: DatabaseID, _ values: PlaceholderValues = PlaceholderValues()) throws {
        line = 1
        count = 1
        guard argument.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
            id = nil
            text = argument
            do {
                requests = .success(try values.read(argument, database))
            } catch {
                throw ValidationError("the query: \(error.message)")
            }
            return
        }
        do {
            let node = try JSONParser.parse(argument)
            id = node["id"]
            text = node["query"]?.string
            requests = .success(try QueryInput.read(node, database, values))
        } catch let error as JSONSyntaxError {
            throw ValidationError("the query is no JSON: \(error.message) (at character \(error.offset + 1))")
        } catch let error as InvalidQueryError {
            throw ValidationError("the query: \(error.message)")
        }
    }

    /// Reads a line of a queries file: JSON if it starts with a brace, otherwise text. Malformed input is a query that
    /// is refused with INVALID_ARGUMENT.
    init(line: Int, _ bytes: Span<UInt8>, database: DatabaseID, _ values: PlaceholderValues) {
        self.line = line
        let node: JSONNode
        do {
            node = try QueryInput.node(bytes)
        } catch {
            id = .string(String(line))
            text = nil
            count = 1
            requests = .failure(InvalidQueryError("Line \(line) is no JSON: \(error.message)", offset: error.offset))
            return
        }
        id = node["id"] ?? .string(String(line))
        count = node["count"]?.number.flatMap { Int(exactly: $0.double) }.map { max(1, $0) } ?? 1
        text = node["query"]?.string
        requests = Result { () throws(InvalidQueryError) in try QueryInput.read(node, database, values) }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func node(_ line: Span<UInt8>) throws(JSONSyntaxError) -> JSONNode {
        guard let first = line.indices.first(where: { line[$0] > 0x20 }), line[first] != UInt8(ascii: "{"),
            let text = try? UTF8Span(validating: line.extracting(first..<line.count))
        else { return try JSONParser.parse(line) }
        return .object(["query": .string(String(copying: text))])
    }

    private static func read(
        _ node: JSONNode, _ database: DatabaseID, _ values: PlaceholderValues
    ) throws(InvalidQueryError) -> [QueryRequest] {
        guard let query = node["query"] else {
            return [try QueryJSON.read(RequestBody.query(in: node, for: database), database: database)]
        }
        guard let text = query.string else {
            throw InvalidQueryError("\"query\" is the text of a query, not \(query.kind).", offset: query.offset)
        }
        do throws(InvalidQueryError) {
            return try values.read(text, database)
        } catch {
            throw InvalidQueryError(error.message, offset: query.offset)
        }
    }

    /// Passes every query of a file to `body`, in order. Skips blank lines.
    ///
    /// - Parameter output: flushed before waiting for more of the file.
    static func forEach(
        in path: String, database: DatabaseID, flushing output: Output? = nil,
        _ values: PlaceholderValues = PlaceholderValues(), _ body: (QueryInput) throws -> Void
    ) throws {
        var lines = try InputFile(path).lines { output?.flush() }
        while let line = try lines.next() {
            guard case .bytes(var range) = line else {
                throw CommandFailure("\"\(path)\": line \(lines.number) is too long")
            }
            // Some editors begin a file with it.
            if lines.number == 1, lines.buffer[range].starts(with: byteOrderMark) { range.removeFirst(3) }
            guard lines.buffer[range].contains(where: { $0 > 0x20 }) else { continue }
            try body(QueryInput(line: lines.number, lines.buffer.span.extracting(range), database: database, values))
        }
    }
}
