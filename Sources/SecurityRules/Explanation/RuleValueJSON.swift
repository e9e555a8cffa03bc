// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import JSONText

extension RuleValue {
    /// In the form of the emulator's coverage: `{"stringValue":"a"}`.
    package var json: JSONNode {
        switch self {
        case .null: .object(["nullValue": JSONNode(.null)])
        case .bool(let value): .object(["boolValue": .boolean(value)])
        case .int(let value): .object(["intValue": .string(String(value))])
        case .float(let value): .object(["floatValue": RuleValue.number(value)])
        case .string(let value): .object(["stringValue": .string(value.withoutLoneSurrogates)])
        case .bytes(let value): .object(["bytesValue": .string(Base64.encode(value))])
        case .timestamp(let value): .object(["timestampValue": .string(value.text)])
        case .duration(let value): .object(["durationValue": .string(value.text)])
        case .latlng(let value):
            .object([
                "latlngValue": .object([
                    "latitude": RuleValue.number(value.latitude), "longitude": RuleValue.number(value.longitude),
                ])
            ])
        case .path(let path):
            .object(["pathValue": .object(["segments": .array(path.segments.map(RuleValue.segment))])])
        case .list(let elements): .object(["listValue": RuleValue.values(elements.values)])
        case .set(let set): .object(["setValue": RuleValue.values(set.elements)])
        case .map(let map):
            .object(["mapValue": map.count == 0 ? .object([:]) : .object(["fields": RuleValue.fields(map)])])
        case .mapDiff, .vector, .constraint: .object([:])
        }
    }

    private static func number(_ value: Double) -> JSONNode {
        value.isFinite ? JSONNode(.number(JSONNumber(text: "\(value)"))) : .string(value.isNaN ? "NaN" : "\(value)")
    }

    private static func values(_ elements: [RuleValue]) -> JSONNode {
        elements.isEmpty ? .object([:]) : .object(["values": .array(elements.map(\.json))])
    }

    private static func fields(_ map: RuleMap) -> JSONNode {
        JSONNode(.object(map.entries.map { JSONMember(key: $0.key.withoutLoneSurrogates, node: $0.value.json) }))
    }

    private static func segment(_ segment: RulePath.Segment) -> JSONNode {
        switch segment {
        case .text(let text): .object(["simple": .string(text.withoutLoneSurrogates)])
        case .capture(let name): .object(["capture": .string(name.withoutLoneSurrogates)])
        case .glob(let name): .object(["globCapture": .string(name.withoutLoneSurrogates)])
        }
    }

    /// For people, as the language writes it where it can.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .float(let value): "\(value)"
        case .string(let value): "'\(value.withoutLoneSurrogates)'"
        case .bytes(let value): "b'\(Base64.encode(value))'"
        case .timestamp(let value): value.text
        case .duration(let value): value.text
        case .latlng(let value): "latlng(\(value.latitude), \(value.longitude))"
        case .path(let path): path.segments.map { "/" + RuleValue.text($0) }.joined()
        case .list(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
        case .set(let set): "set(\(set.elements.map(\.text).joined(separator: ", ")))"
        case .map(let map):
            "{\(map.entries.map { "\($0.key): \($0.value.text)" }.joined(separator: ", "))}"
        case .mapDiff: "a difference of maps"
        case .vector(let components): "vector(\(components.count) components)"
        case .constraint: "any value that fits the query"
        }
    }

    private static func text(_ segment: RulePath.Segment) -> String {
        switch segment {
        case .text(let text): text.string
        case .capture(let name): "{\(name)}"
        case .glob(let name): "{\(name)=**}"
        }
    }
}

extension RuleTimestamp {
    fileprivate var text: String {
        Timestamp(microseconds: seconds * 1_000_000 + Int64(nanoseconds) / 1_000)?.description ?? "\(seconds)s"
    }
}

extension RuleDuration {
    fileprivate var text: String {
        guard nanoseconds != 0 else { return "\(seconds)s" }
        let digits = String(nanoseconds.magnitude)
        let sign = seconds < 0 || nanoseconds < 0 ? "-" : ""
        return "\(sign)\(seconds.magnitude).\(String(repeating: "0", count: 9 - digits.count))\(digits)s"
    }
}
