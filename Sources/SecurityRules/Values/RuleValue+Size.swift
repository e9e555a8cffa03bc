// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// About how many bytes values take.
extension RuleValue {
    private static let elementSize = 8
    /// Each comparison of a value walks all that is nested in it, however little the list around it counts.
    private static let nestedSize = 128

    /// The value alone: of a list the elements count, not what is in them.
    var extent: Int {
        switch self {
        case .string(let text): text.utf8Count
        case .bytes(let bytes): bytes.count
        case .list(let elements): elements.count * RuleValue.elementSize
        case .set(let set): set.elements.count * RuleValue.elementSize
        case .map(let map): map.count * RuleValue.elementSize
        case .mapDiff(let diff): (diff.left.count + diff.right.count) * RuleValue.elementSize
        case .vector(let components): components.count * RuleValue.elementSize
        case .path(let path): path.segments.reduce(0) { $0 + RuleValue.size($1) }
        case .null, .bool, .int, .float, .timestamp, .duration, .latlng, .constraint: 0
        }
    }

    private static func size(_ segment: RulePath.Segment) -> Int {
        switch segment {
        case .text(let text), .capture(let text), .glob(let text): elementSize + text.utf8Count
        }
    }

    /// Takes what is in a list, a set or a map from a room; no more is looked at once that is empty.
    func takeElements(from room: inout Int) {
        takeElements(from: &room, each: RuleValue.elementSize)
    }

    private func takeElements(from room: inout Int, each size: Int) {
        switch self {
        case .list(let elements): RuleValue.take(elements, from: &room, each: size)
        case .set(let set): RuleValue.take(set.elements, from: &room, each: size)
        case .map(let map):
            for entry in map.entries {
                guard room >= 0 else { return }
                room -= size + entry.key.utf8Count
                entry.value.takeAsElement(from: &room)
            }
        default: return
        }
    }

    private static func take(_ elements: [RuleValue], from room: inout Int, each size: Int) {
        for element in elements {
            guard room >= 0 else { return }
            room -= size
            element.takeAsElement(from: &room)
        }
    }

    private func takeAsElement(from room: inout Int) {
        switch self {
        case .list, .set, .map: takeElements(from: &room, each: RuleValue.nestedSize)
        // No comparison looks into a difference.
        case .mapDiff: return
        default: room -= extent
        }
    }
}
