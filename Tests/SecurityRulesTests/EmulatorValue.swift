// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

@testable internal import SecurityRules

/// Values as the emulator's coverage writes them.
enum EmulatorValue {
    static func isSame(_ value: RuleValue, _ node: JSONNode) -> Bool {
        guard let member = node.members?.first else { return false }
        switch (value, member.key) {
        case (.null, "nullValue"): return true
        case (.bool(let value), "boolValue"): return member.node.boolean == value
        case (.int(let value), "intValue"): return member.node.string == String(value)
        case (.float(let value), "floatValue"): return isSame(value, member.node)
        case (.string(let value), "stringValue"):
            return StringMethods.utf8(value) == Array((member.node.string ?? "").utf8)
        case (.bytes(let value), "bytesValue"): return member.node.string.flatMap(Base64.decode) == value
        case (.timestamp(let value), "timestampValue"): return text(value) == member.node.string
        case (.duration(let value), "durationValue"): return text(value) == member.node.string
        case (.latlng(let value), "latlngValue"):
            return member.node["latitude"]?.number?.double == value.latitude
                && member.node["longitude"]?.number?.double == value.longitude
        case (.path(let value), "pathValue"): return isSame(value, member.node["segments"]?.elements ?? [])
        case (.vector(let components), "vectorValue"):
            return isSame(components.map(RuleValue.float), member.node["values"])
        case (.list(let elements), "listValue"): return isSame(elements.values, member.node["values"])
        case (.set(let set), "setValue"): return isSame(set.elements, member.node["values"])
        case (.map(let map), "mapValue"):
            let fields = member.node["fields"]?.members ?? []
            return fields.count == map.count
                && fields.allSatisfy { field in map[Text(field.key)].map { isSame($0, field.node) } ?? false }
        default: return false
        }
    }

    private static func isSame(_ values: [RuleValue], _ node: JSONNode?) -> Bool {
        let nodes = node?.elements ?? []
        return values.count == nodes.count && zip(values, nodes).allSatisfy { isSame($0, $1) }
    }

    private static func isSame(_ value: Double, _ node: JSONNode) -> Bool {
        switch node.string {
        case "NaN": value.isNaN
        case "Infinity": value == .infinity
        case "-Infinity": value == -.infinity
        default: node.number?.double == value
        }
    }

    private static func isSame(_ path: RulePath, _ nodes: [JSONNode]) -> Bool {
        let texts = nodes.flatMap { node -> [String?] in
            // A path takes the place of its variable.
            if let bound = node["globCapture"]?["boundValue"]?["segments"]?.elements {
                return bound.map { $0["simple"]?.string }
            }
            return [(node["capture"]?["boundValue"] ?? node["simple"])?.string]
        }
        let own = path.segments.map { segment -> String? in
            if case .text(let text) = segment { text.string } else { nil }
        }
        return own == texts
    }

    private static func text(_ time: RuleTimestamp) -> String {
        let days = time.seconds.flooringQuotient(by: 86_400)
        let second = time.seconds - days * 86_400
        let date = Times.date(ofDay: days)
        let day = [pad(date.year, 4), pad(date.month, 2), pad(date.day, 2)].joined(separator: "-")
        let clock = [pad(second / 3_600, 2), pad(second / 60 % 60, 2), pad(second % 60, 2)].joined(separator: ":")
        return "\(day)T\(clock)\(fraction(time.nanoseconds))Z"
    }

    private static func text(_ duration: RuleDuration) -> String {
        let sign = duration.seconds < 0 || duration.nanoseconds < 0 ? "-" : ""
        return "\(sign)\(duration.seconds.magnitude)\(fraction(duration.nanoseconds))s"
    }

    /// No, three, six or nine digits.
    private static func fraction(_ nanoseconds: Int32) -> String {
        if nanoseconds == 0 { return "" }
        var digits = pad(Int64(nanoseconds.magnitude), 9)
        while digits.hasSuffix("000") { digits.removeLast(3) }
        return "." + digits
    }

    private static func pad(_ number: Int64, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
