// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// About how many bytes values take, and how long a pass over them is.
extension RuleValue {
    fileprivate static let elementSize = 8
    /// An element takes as long as so many bytes of a text.
    static let walkedElement = 32
    /// Beyond, nothing is left of any reach.
    private static let mostTimes = 1 << 20

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
        case .path(let path): path.segments.reduce(0) { $0 + RulePath.extent(of: $1) }
        case .null, .bool, .int, .float, .timestamp, .duration, .latlng, .constraint: 0
        }
    }

    /// Of a list or a set; 1 for everything else.
    var elementCount: Int {
        switch self {
        case .list(let elements): min(elements.count, RuleValue.mostTimes)
        case .set(let set): min(set.elements.count, RuleValue.mostTimes)
        default: 1
        }
    }

    /// Takes a pass over all that is in the value from a reach; no more is looked at once that is used up.
    func use(_ reach: inout Int, times: Int = 1) {
        guard reach >= 0 else { return }
        switch self {
        case .list(let elements): elements.use(&reach, times: times)
        case .set(let set):
            // A few elements of sets are compared each with each, and so are the sets that are in them.
            let pairs = min(set.elements.count, ValueIndex.fewest)
            RuleValue.useElements(set.elements, &reach, min(times * pairs, RuleValue.mostTimes))
        case .map(let map): map.use(&reach, times: times)
        // No comparison looks into a difference.
        case .mapDiff: return
        default: reach -= extent * times
        }
    }

    static func useElements(_ elements: [RuleValue], _ reach: inout Int, _ times: Int) {
        for element in elements {
            guard reach >= 0 else { return }
            reach -= walkedElement * times
            // The most common elements.
            if case .string(let text) = element {
                reach -= text.utf8Count * times
            } else {
                element.use(&reach, times: times)
            }
        }
    }
}

extension RulePath {
    fileprivate static func extent(of segment: Segment) -> Int {
        switch segment {
        case .text(let text), .capture(let text), .glob(let text): extent(of: text)
        }
    }

    private static func extent(of text: Text) -> Int { RuleValue.elementSize + text.utf8Count }

    /// That of `/databases/D/documents/…`
    fileprivate static func extent(ofDocument path: ResourcePath, database: Text) -> Int {
        path.segments.reduce(extent(of: "databases") + extent(of: database) + extent(of: "documents")) {
            $0 + extent(of: $1)
        }
    }
}

extension Fields {
    /// As the map that rules see, which is not made for it.
    func use(_ reach: inout Int, times: Int) {
        for field in storage {
            guard reach >= 0 else { return }
            reach -= (RuleValue.walkedElement + field.name.utf8Count) * times
            field.value.use(&reach, times: times)
        }
    }
}

/// As the values that rules see. No list and no path is made for it.
extension Value {
    var extent: Int {
        if case .reference(let reference) = self {
            return RulePath.extent(ofDocument: reference.path, database: reference.database.database)
        }
        return RuleValue(self).extent
    }

    fileprivate func use(_ reach: inout Int, times: Int) {
        switch self {
        case .array(let elements): Value.useElements(elements, &reach, times)
        case .map(let fields): fields.use(&reach, times: times)
        default: reach -= extent * times
        }
    }

    static func useElements(_ elements: [Value], _ reach: inout Int, _ times: Int) {
        for element in elements {
            guard reach >= 0 else { return }
            reach -= RuleValue.walkedElement * times
            element.use(&reach, times: times)
        }
    }
}
