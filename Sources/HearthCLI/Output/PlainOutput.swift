// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// Values as plain JSON, for programs that do not know Firestore's types. Times, bytes, references and numbers that JSON
/// lacks are strings.
enum PlainOutput {
    /// A document as one object, its path under `__name__`.
    static func write(_ path: DocumentPath, _ fields: Fields, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("__name__")
        writer.string(path.description)
        for field in fields {
            writer.key(field.name.string)
            writer.node(node(field.value))
        }
        writer.endObject()
    }

    static func node(_ value: Value) -> JSONNode {
        switch value {
        case .null: JSONNode(.null)
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .double(let number): self.number(number)
        case .timestamp(let time): .string(time.description)
        case .string(let text): .string(text.string)
        case .bytes(let bytes): .string(Base64.encode(bytes))
        case .reference(let reference): .string(reference.path.description)
        case .geoPoint(let point):
            .object(["latitude": number(point.latitude), "longitude": number(point.longitude)])
        case .array(let elements): .array(elements.map(node))
        case .vector(let numbers): .array(numbers.map(number))
        case .map(let fields):
            JSONNode(.object(fields.map { JSONMember(key: $0.name.string, node: node($0.value)) }))
        }
    }

    private static func number(_ number: Double) -> JSONNode {
        if number.isNaN { return .string("NaN") }
        if number.isInfinite { return .string(number < 0 ? "-Infinity" : "Infinity") }
        return JSONNode(.number(JSONNumber(text: "\(number)")))
    }
}
