// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The two kinds of files that say where an export's documents are.
///
/// `NAME.overall_export_metadata` is a log that lists the second kind, one for each part of the database;
/// `all_namespaces_all_kinds.export_metadata` is one message that lists files of entities. Each path begins at the file that names
/// it.
package enum ExportManifest {
    package static let overallSuffix = ".overall_export_metadata"
    /// The folder, and the name, of the part that holds all documents.
    package static let partFolder = "all_namespaces/all_kinds"
    package static let partName = "all_namespaces_all_kinds.export_metadata"

    /// A part of the database.
    package struct Part: Equatable {
        /// Of the file that lists its files of entities.
        package var path = ""
        /// How many there are in all of them; nil if it does not say.
        package var documents: Int?
    }

    package static func parts(_ records: [[UInt8]]) throws(ExportFormatError) -> [Part] {
        // The first record is the version.
        guard !records.isEmpty else { throw ExportFormatError.empty }
        var parts: [Part] = []
        for record in records.dropFirst() {
            try forEachMessage(record, field: 1) { (message) throws(ExportFormatError) in
                var part = Part()
                while let (field, payload) = try message.next() {
                    switch (field, payload) {
                    case (2, .bytes(let range)): part.path = try message.text(range).string
                    case (3, .varint(let count)) where count > 0: part.documents = Int(exactly: count)
                    default: try message.skip(payload)
                    }
                }
                if !part.path.isEmpty { parts.append(part) }
            }
        }
        return parts
    }

    /// The paths of a part's files of entities.
    package static func outputs(_ file: [UInt8]) throws(ExportFormatError) -> [String] {
        guard !file.isEmpty else { throw ExportFormatError.empty }
        var paths: [String] = []
        try forEachMessage(file, field: 2) { (message) throws(ExportFormatError) in
            while let (field, payload) = try message.next() {
                if field == 2, case .bytes(let range) = payload {
                    paths.append(try message.text(range).string)
                } else {
                    try message.skip(payload)
                }
            }
        }
        return paths
    }

    private static func forEachMessage(
        _ bytes: [UInt8], field: Int, _ body: (inout WireReader) throws(ExportFormatError) -> Void
    ) throws(ExportFormatError) {
        var reader = WireReader(bytes)
        while let (number, payload) = try reader.next() {
            guard number == field, case .bytes(let range) = payload else {
                try reader.skip(payload)
                continue
            }
            var message = reader.message(range)
            try body(&message)
        }
    }

    /// The log of an export of all documents. Without documents it names no part.
    package static func overall(documents: Int, bytes: Int) -> [UInt8] {
        var log = LogWriter()
        log.append([UInt8(ascii: "3")])
        guard documents > 0 else {
            log.append([])
            return log.take()
        }
        var record = WireWriter()
        record.message(1) { part in
            part.message(1) { kind in
                kind.varint(1, 2)
                kind.varint(3, 3)
            }
            part.bytes(2, "\(partFolder)/\(partName)".utf8)
            part.varint(3, UInt64(documents))
            part.varint(4, UInt64(bytes))
        }
        log.append(record.bytes)
        return log.take()
    }

    /// The file of the one part. Times are in microseconds since 1970.
    package static func part(name: String, start: UInt64, end: UInt64, outputs: [String]) -> [UInt8] {
        var file = WireWriter()
        file.message(1) { export in
            export.bytes(1, name.utf8)
            export.varint(2, start)
            export.varint(3, end)
        }
        for output in outputs {
            file.message(2) { entry in
                entry.bytes(1, [])
                entry.bytes(2, output.utf8)
            }
        }
        return file.bytes
    }
}
