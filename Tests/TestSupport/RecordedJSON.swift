// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import Foundation

/// Reads values and paths in Firestore's REST form with Foundation's parser, so that the recorded cases do not depend
/// on the reader under test.
package enum RecordedJSON {
    struct Unreadable: Error {}

    static let database = DatabaseID(project: "hearth")

    static func object(_ line: String) throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
            throw Unreadable()
        }
        return object
    }

    static func text(_ node: Any?) throws -> String {
        guard let text = node as? String else { throw Unreadable() }
        return text
    }

    static func documents(_ node: Any?) throws -> [DocumentPath: Fields] {
        guard let documents = node as? [String: [String: Any]] else { throw Unreadable() }
        return try Dictionary(uniqueKeysWithValues: documents.map { (try documentPath($0.key), try fields($0.value)) })
    }

    package static func documentPath(_ name: String) throws -> DocumentPath {
        let path = reference(name).path
        guard path.count >= 2, path.count % 2 == 0 else { throw Unreadable() }
        return DocumentPath(path)
    }

    package static func fields(_ object: [String: Any]) throws -> Fields {
        guard let fields = Fields(try object.map { Field(Text($0.key), try value($0.value)) }) else {
            throw Unreadable()
        }
        return fields
    }

    package static func value(_ node: Any) throws -> Value {
        guard let object = node as? [String: Any], object.count == 1, let (kind, content) = object.first else {
            throw Unreadable()
        }
        switch kind {
        case "nullValue": return .null
        case "booleanValue": return .boolean(try unwrap(content as? Bool))
        case "integerValue": return .integer(try integer(content))
        case "doubleValue": return .double(try double(content))
        case "timestampValue": return .timestamp(try timestamp(try text(content)))
        case "stringValue": return .string(Text(try text(content)))
        case "bytesValue": return .bytes(Array(try unwrap(Data(base64Encoded: try text(content)))))
        case "referenceValue": return .reference(reference(try text(content)))
        case "geoPointValue":
            let point = content as? [String: Any] ?? [:]
            return .geoPoint(
                try unwrap(
                    GeoPoint(
                        latitude: try double(point["latitude"] ?? 0), longitude: try double(point["longitude"] ?? 0))))
        case "arrayValue": return .array(try elements(content).map(value))
        case "mapValue": return try map((content as? [String: Any])?["fields"] as? [String: Any] ?? [:])
        default: throw Unreadable()
        }
    }

    /// V-20: a vector is written as a map.
    private static func map(_ object: [String: Any]) throws -> Value {
        let kind = (object["__type__"] as? [String: Any])?["stringValue"] as? String
        guard kind == "__vector__", let array = object["value"] as? [String: Any], let content = array["arrayValue"]
        else { return .map(try fields(object)) }
        return .vector(
            try elements(content).map { element in
                switch try value(element) {
                case .double(let number): number
                case .integer(let number): Double(number)
                default: throw Unreadable()
                }
            })
    }

    static func elements(_ content: Any) throws -> [Any] {
        (content as? [String: Any])?["values"] as? [Any] ?? []
    }

    static func integer(_ node: Any) throws -> Int64 {
        if let text = node as? String { return try unwrap(Int64(text)) }
        return try unwrap(node as? NSNumber).int64Value
    }

    static func double(_ node: Any) throws -> Double {
        if let text = node as? String {
            return switch text {
            case "NaN": .nan
            case "Infinity": .infinity
            case "-Infinity": -.infinity
            default: try unwrap(Double(text))
            }
        }
        return try unwrap(node as? NSNumber).doubleValue
    }

    static func reference(_ name: String) -> Reference {
        // By scalars, because a slash before a combining mark is not a Character.
        let segments = name.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
            .map { Text(String($0)) }
        guard segments.count >= 5, segments[0] == "projects", segments[2] == "databases", segments[4] == "documents"
        else { return Reference(database: database, path: ResourcePath(segments: segments)) }
        return Reference(
            database: DatabaseID(project: segments[1], database: segments[3]),
            path: ResourcePath(segments: Array(segments[5...])))
    }

    /// `2024-01-01T00:00:00.123456789Z`.
    private static func timestamp(_ text: String) throws -> Timestamp {
        let numbers = text.dropLast().split(whereSeparator: { "-T:.".contains($0) })
        guard text.hasSuffix("Z"), (6...7).contains(numbers.count) else { throw Unreadable() }
        let parts = try numbers.prefix(6).map { try unwrap(Int64($0)) }
        let seconds = days(parts[0], parts[1], parts[2]) * 86_400 + parts[3] * 3_600 + parts[4] * 60 + parts[5]
        let fraction = numbers.count == 7 ? String(numbers[6]).padding(toLength: 9, withPad: "0", startingAt: 0) : "0"
        return try unwrap(Timestamp(seconds: seconds, nanoseconds: try unwrap(Int32(fraction))))
    }

    /// Days since 1970 in the proleptic Gregorian calendar. Foundation's calendars switch to the Julian one.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // A year that starts in March has its leap day at the end.
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let leapDays = year / 4 - year / 100 + year / 400
        return year * 365 + leapDays + (month * 153 + 2) / 5 + day - 719_469
    }

    static func unwrap<Wrapped>(_ optional: Wrapped?) throws -> Wrapped {
        guard let optional else { throw Unreadable() }
        return optional
    }
}
