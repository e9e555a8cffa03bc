// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import TestSupport

private let database = DatabaseID(project: "hearth")

extension FuzzTarget {
    static let documentJSON = FuzzTarget("document-json", seeds: documents) { bytes throws(Broken) in
        var reader = DocumentLineReader(database: database)
        if let direct = reader.read(bytes.span) {
            let tree = (try? JSONParser.parse(bytes)).flatMap { try? DocumentJSON.read($0, database: database) }
            try require(
                tree?.path == direct.path && tree?.fields.isIdentical(to: direct.fields) == true,
                "a line reads as another document than its tree")
        }
        guard let node = try? JSONParser.parse(bytes),
            let (path, fields) = try? DocumentJSON.read(node, database: database)
        else { return }
        var writer = JSONWriter()
        DocumentJSON.write(path, fields, to: &writer, database: database)
        guard let written = try? JSONParser.parse(writer.bytes),
            let again = try? DocumentJSON.read(written, database: database)
        else { throw Broken(description: "what was written cannot be read: \(writer.string)") }
        try require(again.path == path && again.fields.isIdentical(to: fields), "reading again gives another document")
        _ = try? DocumentLimits.validate(path, fields, database: database)
        let content = StoredDocumentEncoder.content(of: fields, database: database)
        try require(stored(content)?.isIdentical(to: fields) == true, "storing gives another document")
    }

    static let storedDocuments = FuzzTarget("stored-documents", seeds: contents) { bytes throws(Broken) in
        _ = stored(bytes)
    }

    /// The fields in stored bytes with a valid checksum.
    private static func stored(_ content: [UInt8]) -> Fields? {
        let key: [UInt8] = [1, 2]
        let time = Timestamp(microseconds: 0)!
        let record = StoredDocumentEncoder.record(of: content[...], createTime: time, updateTime: time, key: key)
        guard let document = try? StoredDocument(record.span.bytes, key: key.span.bytes, database: database) else {
            return nil
        }
        for path: FieldPath in ["a", "m.x", "absent"] { _ = try? document.value(at: path) }
        return try? document.fields()
    }

    private static let documents = [
        #"{"name":"c/d","fields":{"a":{"integerValue":"1"},"b":{"doubleValue":"NaN"},"s":{"stringValue":"\u00e9"}}}"#,
        #"{"name":"a/b/c/__id7__","fields":{"m":{"mapValue":{"fields":{"x":{"nullValue":null}}}},"g":{"geoPointValue":{"latitude":1,"longitude":-2}}}}"#,
        #"{"name":"c/d","fields":{"l":{"arrayValue":{"values":[{"bytesValue":"AAE="},{"timestampValue":"2024-01-01T00:00:00.5Z"},{"referenceValue":"c/e"}]}}}}"#,
    ]

    private static let contents: [[UInt8]] = {
        var random = SeededGenerator(seed: 1)
        return (0..<20).map { _ in
            StoredDocumentEncoder.content(of: DocumentGenerator().fields(&random), database: database)
        }
    }()
}

// MARK: - Names

extension FuzzTarget {
    static let paths = FuzzTarget(
        "paths",
        seeds: ["c/d", "a/b/c", "projects/p/databases/(default)/documents/a/b", "__id9223372036854775807__/__id-1__"]
    ) { bytes throws(Broken) in
        let text = String(decoding: bytes, as: UTF8.self)
        if let path = try? DocumentPath(parsing: text) {
            try require((try? DocumentPath(parsing: path.description)) == path, "a document's path reads as another")
            try requireKey(path.resource)
        }
        if let path = try? CollectionPath(parsing: text) {
            try require(
                (try? CollectionPath(parsing: path.description)) == path, "a collection's path reads as another")
        }
        guard let reference = try? Reference(parsing: text, database: database) else { return }
        let again = try? Reference(parsing: reference.resourceName, database: database)
        try require(again == reference, "a reference reads as another")
    }

    private static func requireKey(_ path: ResourcePath) throws(Broken) {
        var encoder = KeyEncoder()
        encoder.append(path: path)
        var reader = KeyReader(encoder.bytes.span.bytes)
        try require((try? reader.path()) == path, "a path's key bytes are those of another")
    }

    static let fieldPaths = FuzzTarget(
        "field-paths", seeds: ["a.b", "`x y`.c", "`a\\`b`", "__name__", "a.`é`"]
    ) { bytes throws(Broken) in
        let text = String(decoding: bytes, as: UTF8.self)
        if let path = try? FieldPath(wire: text) {
            try require((try? FieldPath(wire: path.wire)) == path, "a field path reads as another")
            try? path.checkLimits()
        }
        if let path = try? FieldPath(dotted: text) {
            try require((try? FieldPath(wireSyntax: path.wire)) == path, "a dotted field path is written as another")
        }
    }

    static let keys = FuzzTarget("keys", seeds: keySeeds) { bytes throws(Broken) in
        guard let kind = bytes.first else { return }
        let descending = kind & 1 == 1
        switch kind >> 1 & 3 {
        case 0:
            var reader = KeyReader(bytes.span.bytes, at: 1)
            var skipper = KeyReader(bytes.span.bytes, at: 1)
            guard let value = try? reader.value(descending: descending) else { return }
            try require(
                (try? skipper.skipValue(descending: descending)) != nil, "a value that is read is not passed over")
            try require(reader.offset == skipper.offset, "reading and passing over end at different places")
            var encoder = KeyEncoder()
            encoder.append(value, descending: descending)
            var again = KeyReader(encoder.bytes.span.bytes)
            let other = try? again.value(descending: descending)
            try require(
                other.map { Value.compare($0, value) == 0 } == true, "a value's key is that of another")
        case 1:
            var reader = KeyReader(bytes.span.bytes, at: 1)
            _ = try? reader.path(descending: descending)
        case 2:
            var reader = KeyReader(bytes.span.bytes, at: 1)
            _ = try? reader.segment(descending: descending)
        default:
            var reader = KeyReader(bytes.span.bytes, at: 1)
            _ = try? reader.number(isDouble: bytes.count % 2 == 0, descending: descending)
        }
    }

    private static let keySeeds: [[UInt8]] = {
        var random = SeededGenerator(seed: 2)
        return (0..<40).map { number in
            var encoder = KeyEncoder()
            encoder.append(byte: UInt8(number % 2))
            encoder.append(ValueGenerator().value(&random), descending: number % 2 == 1)
            return encoder.bytes
        }
    }()
}
