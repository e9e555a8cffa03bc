// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import ManagedExport

// Without the rest of Foundation the program is half as large.
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The documents of an export, file by file.
package struct ExportedDocuments {
    private var outputs: [URL]
    private var current: (url: URL, log: LogReader)?
    private var waiting: ExportedDocument?
    private let overall: URL
    /// How many there are by the export's list; nil if it does not say.
    private let expected: Int?
    private var count = 0

    /// - Throws: ``ExportError`` if the export's lists cannot be read.
    package init(_ folder: ExportFolder) throws {
        outputs = []
        overall = folder.overall
        let parts = try ExportedDocuments.read(overall) { try ExportManifest.parts(try $0.all()) }
        let counts = parts.map(\.documents)
        expected = counts.contains(nil) ? nil : counts.reduce(0) { $0 + ($1 ?? 0) }
        for part in parts {
            let file = overall.deletingLastPathComponent().appending(path: part.path)
            let names = try ExportedDocuments.read(file) { (_) throws -> [String] in
                try ExportManifest.outputs(try FilePieces(file.path).rest())
            }
            outputs += names.map { file.deletingLastPathComponent().appending(path: $0) }
        }
        outputs.reverse()
        waiting = try read()
    }

    /// The database that was exported; nil for an export without documents, and once they have been read.
    package var database: DatabaseID? { waiting?.database }

    /// The next document; nil at the end.
    ///
    /// - Throws: ``ExportError`` if a file cannot be read, or if there are fewer documents, or more, than the export's list says: a
    ///   file that was cut at the end of a document, or lost its bytes, cannot be told from a whole one otherwise.
    package mutating func next() throws -> ExportedDocument? {
        guard let next = waiting else { return nil }
        waiting = try read()
        return next
    }

    private mutating func read() throws -> ExportedDocument? {
        while true {
            if current == nil {
                guard let url = outputs.popLast() else {
                    try checkCount()
                    return nil
                }
                current = (url, try LogReader(url))
            }
            guard let url = current?.url else { return nil }
            let record = try ExportedDocuments.naming(url) { try current?.log.next() }
            if let record {
                count += 1
                return try ExportedDocuments.naming(url) { try EntityReader.document(record) }
            }
            current = nil
        }
    }

    private func checkCount() throws {
        guard let expected, expected != count else { return }
        throw ExportError(
            "\"\(overall.path)\" cannot be imported: it lists \(expected) documents, and its files hold \(count). A file was cut, or lost "
                + "its bytes: export again, or copy it again")
    }

    private static func read<R>(_ url: URL, _ body: (LogReader) throws -> R) throws -> R {
        try naming(url) { try body(try LogReader(url)) }
    }

    private static func naming<R>(_ url: URL, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as ExportFormatError {
            throw ExportError("\"\(url.path)\" cannot be imported: \(error.message)")
        }
    }
}

extension LogReader {
    fileprivate init(_ url: URL) throws {
        let file = try FilePieces(url.path)
        self.init { try file.next($0) }
    }

    fileprivate func all() throws -> [[UInt8]] {
        var log = self
        var records: [[UInt8]] = []
        while let record = try log.next() { records.append(record) }
        return records
    }
}
