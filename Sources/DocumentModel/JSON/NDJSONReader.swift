// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Reads documents from NDJSON, one JSON object a line. Blank lines are skipped.
///
/// Documents have the lossless form of ``DocumentJSON``, or are plain objects of one collection.
package struct NDJSONReader {
    package enum Entry {
        case document(DocumentPath, Fields)
        case refused(Refusal)
    }

    /// A line that holds no document.
    package struct Refusal: Equatable, Sendable {
        /// From 1.
        package let line: Int
        /// The column of the error, counted in Unicode scalars from 1; nil where the error has no place in the line.
        package let column: Int?
        package let reason: String
    }

    private var lines: LineReader
    private let database: DatabaseID
    private let plain: PlainDocumentReader?
    private var direct: DocumentLineReader?

    /// - Parameters:
    ///   - plain: reads the lines; nil for lines in the lossless form.
    ///   - readsDirectly: whether ``DocumentLineReader`` sees the lines first. Turned off, every line goes through
    ///     ``JSONParser``: the same entries, more slowly.
    package init(
        _ lines: LineReader, database: DatabaseID, plain: PlainDocumentReader?, readsDirectly: Bool = true
    ) {
        self.lines = lines
        self.database = database
        self.plain = plain
        direct = readsDirectly && plain == nil ? DocumentLineReader(database: database) : nil
    }

    package var bytesRead: Int { lines.bytesRead }
    /// The number of the line read last, from 1.
    package var lineNumber: Int { lines.number }

    /// Returns nil at the end. Throws only what reading the stream throws.
    package mutating func next() throws -> Entry? {
        while let line = try lines.next() {
            guard case .bytes(let range) = line else {
                return .refused(refusal("the line is longer than \(lines.maximumLength >> 20) MiB"))
            }
            if !isBlank(range) { return read(range) }
        }
        return nil
    }

    /// A refusal of the line read last.
    package func refusal(_ reason: String) -> Refusal { Refusal(line: lines.number, column: nil, reason: reason) }

    private func isBlank(_ range: Range<Int>) -> Bool {
        lines.buffer[range].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }

    private mutating func read(_ range: Range<Int>) -> Entry {
        let buffer = lines.buffer
        if let (path, fields) = direct?.read(buffer.span.extracting(range)) { return .document(path, fields) }
        do {
            let node = try JSONParser.parse(buffer.span.extracting(range))
            let (path, fields) = try plain?.read(node) ?? DocumentJSON.read(node, database: database)
            return .document(path, fields)
        } catch let error as JSONSyntaxError {
            return .refused(refusal(error.message, at: error.offset, of: range))
        } catch let error as DocumentFormError {
            return .refused(refusal(error.message, at: error.offset, of: range))
        } catch {
            return .refused(refusal("\(error)"))
        }
    }

    private func refusal(_ reason: String, at offset: Int?, of range: Range<Int>) -> Refusal {
        let column = offset.map { LineMap(Array(lines.buffer[range])).position(of: $0).column }
        return Refusal(line: lines.number, column: column, reason: reason)
    }
}
