// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// Conditions may make values whose text fills the memory, and a page shows many of them.
extension RuleValue {
    private static let mostShown = 20_000
    private static let sizeOfElement = 16
    /// Stands for what is left out.
    private static let rest: Text = "…"

    /// The value, or as much of it as people look at and a sign that there is more.
    package var beginning: RuleValue {
        var room = RuleValue.mostShown
        return cut(&room)
    }

    private func cut(_ room: inout Int) -> RuleValue {
        switch self {
        case .string(let text): return .string(text.cut(&room))
        case .bytes(let bytes):
            let space = max(0, room)
            room -= bytes.count
            return bytes.count <= space ? self : .bytes(Array(bytes.prefix(space)) + RuleValue.rest.string.utf8)
        case .list(let elements): return .list(RuleList(RuleValue.cut(elements, &room)))
        case .set(let set): return .set(RuleSetValue(distinct: RuleValue.cut(RuleList(set.elements), &room)))
        case .map(let map):
            let rest: RuleMap.Entry = (key: RuleValue.rest, value: .string(RuleValue.rest))
            return .map(
                RuleMap(RuleValue.taken(map.entries, rest, &room) { ($0.key.cut(&$1), $0.value.cut(&$1)) }))
        case .path(let path):
            return .path(
                RulePath(RuleValue.taken(path.segments, .text(RuleValue.rest), &room) { RuleValue.cut($0, &$1) }))
        case .null, .bool, .int, .float, .timestamp, .duration, .latlng, .mapDiff, .vector, .constraint: return self
        }
    }

    private static func cut(_ elements: RuleList, _ room: inout Int) -> [RuleValue] {
        taken(elements, .string(rest), &room) { $0.cut(&$1) }
    }

    private static func cut(_ segment: RulePath.Segment, _ room: inout Int) -> RulePath.Segment {
        switch segment {
        case .text(let text): .text(text.cut(&room))
        case .capture(let name): .capture(name.cut(&room))
        case .glob(let name): .glob(name.cut(&room))
        }
    }

    /// The beginnings of elements while there is room, and the rest's sign.
    private static func taken<Element>(
        _ elements: some Sequence<Element>, _ rest: Element, _ room: inout Int, _ cut: (Element, inout Int) -> Element
    ) -> [Element] {
        var taken: [Element] = []
        for element in elements {
            guard room > 0 else { return taken + [rest] }
            room -= sizeOfElement
            taken.append(cut(element, &room))
        }
        return taken
    }
}

extension Text {
    /// The text, or as many of its characters as there is room for and a sign that there are more.
    fileprivate func cut(_ room: inout Int) -> Text {
        let space = max(0, room)
        room -= utf8Count
        guard utf8Count > space else { return self }
        return Text(String(string.unicodeScalars.prefix(space)) + "…")
    }
}

extension EvaluationError {
    /// The message, or as much of it as people look at.
    package var beginningOfMessage: String {
        guard case .string(let text) = RuleValue.string(Text(message)).beginning else { return message }
        return text.string
    }
}
