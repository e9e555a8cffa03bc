// SPDX-License-Identifier: Apache-2.0

package import JSONText

extension ValueJSON {
    /// Writes a value in the REST form. References into `database` are written relative, others in full; with nil, all of them.
    package static func write(_ value: Value, to writer: inout JSONWriter, database: DatabaseID?) {
        writer.beginObject()
        switch value {
        case .null:
            writer.key("nullValue")
            writer.null()
        case .boolean(let flag):
            writer.key("booleanValue")
            writer.boolean(flag)
        case .integer(let number):
            writer.key("integerValue")
            writer.string(String(number))
        case .double(let number):
            writer.key("doubleValue")
            write(number, to: &writer)
        case .timestamp(let time):
            writer.key("timestampValue")
            writer.string(time.description)
        case .string(let text):
            writer.key("stringValue")
            writer.string(text.string)
        case .bytes(let bytes):
            writer.key("bytesValue")
            writer.string(Base64.encode(bytes))
        case .reference(let reference):
            writer.key("referenceValue")
            writer.string(database.map { reference.name(in: $0) } ?? reference.resourceName)
        case .geoPoint(let point):
            writer.key("geoPointValue")
            writer.beginObject()
            writer.key("latitude")
            write(point.latitude, to: &writer)
            writer.key("longitude")
            write(point.longitude, to: &writer)
            writer.endObject()
        case .array(let elements): writeArray(elements, to: &writer, database: database)
        case .vector(let elements):
            writer.key("mapValue")
            writeFieldsObject(VectorForm.fields(elements), to: &writer, database: database)
        case .map(let fields):
            writer.key("mapValue")
            writeFieldsObject(fields, to: &writer, database: database)
        }
        writer.endObject()
    }

    /// Writes `{"name":{…value…},…}`.
    package static func writeFields(_ fields: Fields, to writer: inout JSONWriter, database: DatabaseID?) {
        writer.beginObject()
        for field in fields.storage {
            writer.key(field.name.string)
            write(field.value, to: &writer, database: database)
        }
        writer.endObject()
    }

    private static func writeFieldsObject(_ fields: Fields, to writer: inout JSONWriter, database: DatabaseID?) {
        writer.beginObject()
        writer.key("fields")
        writeFields(fields, to: &writer, database: database)
        writer.endObject()
    }

    private static func writeArray(_ elements: [Value], to writer: inout JSONWriter, database: DatabaseID?) {
        writer.key("arrayValue")
        writer.beginObject()
        writer.key("values")
        writer.beginArray()
        for element in elements { write(element, to: &writer, database: database) }
        writer.endArray()
        writer.endObject()
    }

    /// JSON has no NaN and no infinities, so they become strings.
    private static func write(_ number: Double, to writer: inout JSONWriter) {
        if number.isNaN {
            writer.string("NaN")
        } else if number.isInfinite {
            writer.string(number < 0 ? "-Infinity" : "Infinity")
        } else {
            writer.double(number)
        }
    }
}

extension DocumentJSON {
    /// Writes the lossless form without times: `{"name":"cities/SF","fields":{…}}`.
    package static func write(
        _ path: DocumentPath, _ fields: Fields, to writer: inout JSONWriter, database: DatabaseID
    ) {
        writer.beginObject()
        writer.key("name")
        writer.string(Reference(database: database, path: path.resource).name(in: database))
        writer.key("fields")
        ValueJSON.writeFields(fields, to: &writer, database: database)
        writer.endObject()
    }
}
