// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Collects the properties of an entity into fields. An array is several properties of one name.
struct PropertyCollector {
    private enum Content {
        case single(Value)
        case array([Value])
        case vector([Double])
    }

    private var contents: [(name: Text, content: Content)] = []
    private var indices: [Text: Int] = [:]

    var fields: Fields {
        var fields: [Field] = []
        fields.reserveCapacity(contents.count)
        for (name, content) in contents {
            switch content {
            case .single(let value): fields.append(Field(name, value))
            case .array(let elements): fields.append(Field(name, .array(elements)))
            case .vector(let elements): fields.append(Field(name, .vector(elements)))
            }
        }
        return Fields(sorting: fields)
    }

    /// Adds a property.
    mutating func add(_ message: WireReader, depth: Int) throws(ExportFormatError) {
        let property = try Property(message)
        let value = try property.value.map { (range) throws(ExportFormatError) in
            try Value(message.message(range), property.meaning, depth: depth)
        }
        if property.meaning == EntityLayout.Meaning.vector {
            guard case .double(let element)? = value else {
                throw ExportFormatError("a vector has other elements than doubles")
            }
            try add(property.name, .vector([element]))
        } else if property.meaning == EntityLayout.Meaning.emptyList {
            try add(property.name, .array([]))
        } else {
            try add(property.name, property.isMultiple ? .array([value ?? .null]) : .single(value ?? .null))
        }
    }

    private mutating func add(_ name: Text, _ content: Content) throws(ExportFormatError) {
        // The properties of an array follow each other in what the emulator writes.
        let known = contents.last?.name == name ? contents.count - 1 : indices[name]
        guard let index = known else {
            indices[name] = contents.count
            contents.append((name, content))
            return
        }
        switch (contents[index].content, content) {
        case (.array(var elements), .array(let more)):
            contents[index].content = .array([])
            elements += more
            contents[index].content = .array(elements)
        case (.vector(var elements), .vector(let more)):
            contents[index].content = .vector([])
            elements += more
            contents[index].content = .vector(elements)
        default: throw ExportFormatError("the field \"\(name)\" has two values")
        }
    }
}

/// The parts of a property.
private struct Property {
    var name: Text = ""
    var meaning: UInt64?
    var isMultiple = false
    var value: Range<Int>?

    init(_ message: WireReader) throws(ExportFormatError) {
        var reader = message
        while let (field, payload) = try reader.next() {
            switch (field, payload) {
            case (EntityLayout.Property.meaning, .varint(let value)): meaning = value
            case (EntityLayout.Property.name, .bytes(let range)): name = try reader.text(range)
            case (EntityLayout.Property.isMultiple, .varint(let value)): isMultiple = value != 0
            case (EntityLayout.Property.value, .bytes(let range)): value = range
            default: try reader.skip(payload)
            }
        }
    }
}

extension Value {
    /// - Parameter meaning: what the property says about its value.
    fileprivate init(_ message: WireReader, _ meaning: UInt64?, depth: Int) throws(ExportFormatError) {
        var reader = message
        self = .null
        while let (field, payload) = try reader.next() {
            switch (field, payload) {
            case (EntityLayout.Value.boolean, .varint(let value)): self = .boolean(value != 0)
            case (EntityLayout.Value.integer, .varint(let value)):
                self = try Value(integer: Int64(bitPattern: value), meaning)
            case (EntityLayout.Value.double, .fixed64(let bits)): self = .double(Double(bitPattern: bits))
            case (EntityLayout.Value.string, .bytes(let range)):
                self = try Value(string: range, of: reader, meaning, depth: depth)
            case (EntityLayout.Value.point, .group): self = .geoPoint(try GeoPoint(group: &reader))
            case (EntityLayout.Value.reference, .group): self = .reference(try Reference(group: &reader))
            default: try reader.skip(payload)
            }
        }
    }

    private init(integer: Int64, _ meaning: UInt64?) throws(ExportFormatError) {
        guard meaning == EntityLayout.Meaning.timestamp else {
            self = .integer(integer)
            return
        }
        guard let time = Timestamp(microseconds: integer) else {
            throw ExportFormatError("a time is outside of the years 1 to 9999")
        }
        self = .timestamp(time)
    }

    private init(
        string range: Range<Int>, of reader: WireReader, _ meaning: UInt64?, depth: Int
    ) throws(ExportFormatError) {
        switch meaning {
        case EntityLayout.Meaning.bytes, EntityLayout.Meaning.shortBytes: self = .bytes(Array(reader.buffer[range]))
        case EntityLayout.Meaning.entity:
            let fields = try EntityReader.fields(reader.message(range), depth: depth + 1)
            self = VectorForm.vector(fields).map(Value.vector) ?? .map(fields)
        default: self = .string(try reader.text(range))
        }
    }
}

extension GeoPoint {
    fileprivate init(group reader: inout WireReader) throws(ExportFormatError) {
        var (x, y) = (0.0, 0.0)
        while let (field, payload) = try reader.next() {
            switch (field, payload) {
            case (EntityLayout.Value.x, .fixed64(let bits)): x = Double(bitPattern: bits)
            case (EntityLayout.Value.y, .fixed64(let bits)): y = Double(bitPattern: bits)
            default: try reader.skip(payload)
            }
        }
        guard let point = GeoPoint(latitude: x, longitude: y) else {
            throw ExportFormatError("a point is not on Earth")
        }
        self = point
    }
}

extension Reference {
    fileprivate init(group reader: inout WireReader) throws(ExportFormatError) {
        var project: Text = ""
        var id = EntityWriter.defaultID
        var segments: [Text] = []
        while let (field, payload) = try reader.next() {
            switch (field, payload) {
            case (EntityLayout.Reference.app, .bytes(let range)): project = try reader.project(range)
            case (EntityLayout.Reference.database, .bytes(let range)): id = try reader.text(range)
            case (EntityLayout.Reference.element, .group):
                segments += try reader.element(
                    EntityLayout.Reference.kind, EntityLayout.Reference.number, EntityLayout.Reference.name)
            default: try reader.skip(payload)
            }
        }
        self.init(database: DatabaseID(project: project, database: id), path: ResourcePath(segments: segments))
    }
}
