// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// A field's value, as every engine is given it.
enum Plain: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    /// Microseconds since 1970.
    case time(Int64)
    case array([Plain])
    case map([(name: String, value: Plain)])

    /// As a Swift program gives it to Hearth.
    var firestore: Any {
        switch self {
        case .null: NSNull()
        case .boolean(let flag): flag
        case .integer(let number): number
        case .double(let number): number
        case .string(let text): text
        case .time(let microseconds):
            Timestamp(seconds: microseconds / 1_000_000, nanoseconds: Int32(microseconds % 1_000_000) * 1_000)
        case .array(let elements): elements.map(\.firestore)
        case .map(let fields): Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value.firestore) })
        }
    }

    /// Appends Firestore's REST form.
    func appendREST(to text: inout [UInt8]) {
        switch self {
        case .null: text += Array(#"{"nullValue":null}"#.utf8)
        case .boolean(let flag): text += Array("{\"booleanValue\":\(flag)}".utf8)
        case .integer(let number): text += Array("{\"integerValue\":\"\(number)\"}".utf8)
        case .double(let number): text += Array("{\"doubleValue\":\(number)}".utf8)
        case .string(let string): text += Array("{\"stringValue\":\"\(Plain.escaped(string))\"}".utf8)
        case .time(let microseconds):
            text += Array("{\"timestampValue\":\"\(Plain.date(microseconds))\"}".utf8)
        case .array(let elements):
            text += Array(#"{"arrayValue":{"values":["#.utf8)
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                element.appendREST(to: &text)
            }
            text += Array("]}}".utf8)
        case .map(let fields):
            text += Array(#"{"mapValue":"#.utf8)
            Plain.appendREST(fields, to: &text)
            text.append(UInt8(ascii: "}"))
        }
    }

    /// `{"fields":{…}}`.
    static func appendREST(_ fields: [(name: String, value: Plain)], to text: inout [UInt8]) {
        text += Array(#"{"fields":{"#.utf8)
        for (index, field) in fields.enumerated() {
            text += Array("\(index > 0 ? "," : "")\"\(field.name)\":".utf8)
            field.value.appendREST(to: &text)
        }
        text += Array("}}".utf8)
    }

    /// Appends plain JSON, times as integers: what SQLite's JSON functions read fastest.
    func appendJSON(to text: inout [UInt8]) {
        switch self {
        case .null: text += Array("null".utf8)
        case .boolean(let flag): text += Array("\(flag)".utf8)
        case .integer(let number), .time(let number): text += Array("\(number)".utf8)
        case .double(let number): text += Array("\(number)".utf8)
        case .string(let string): text += Array("\"\(Plain.escaped(string))\"".utf8)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                element.appendJSON(to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .map(let fields):
            text.append(UInt8(ascii: "{"))
            for (index, field) in fields.enumerated() {
                text += Array("\(index > 0 ? "," : "")\"\(field.name)\":".utf8)
                field.value.appendJSON(to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            return text
        }
        return text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case _ where scalar.value < 0x20: String(format: "\\u%04x", scalar.value)
            default: String(scalar)
            }
        }.joined()
    }

    private static func date(_ microseconds: Int64) -> String {
        let seconds = microseconds / 1_000_000
        var time = tm()
        var clock = time_t(seconds)
        gmtime_r(&clock, &time)
        return String(
            format: "%04d-%02d-%02dT%02d:%02d:%02d.%06lldZ", time.tm_year + 1900, time.tm_mon + 1, time.tm_mday,
            time.tm_hour, time.tm_min, time.tm_sec, microseconds % 1_000_000)
    }
}
