// SPDX-License-Identifier: Apache-2.0

/// Each value is as large as a query may need: a few lines can double a list, a text or a filter again and again.
extension Known {
    /// More values in one are not followed. An object may have as many members as a file's constants.
    static let maximumSize = 2_000
    /// More elements of a list are not known, and more pieces of a text.
    static let maximumCount = 400

    /// How many values it holds, counted until there are too many.
    var size: Int {
        var left = Known.maximumSize + 1
        take(from: &left)
        return Known.maximumSize + 1 - left
    }

    private func take(from left: inout Int) {
        switch self {
        case .list(let elements, _): for element in elements where left > 0 { element.take(from: &left) }
        case .fields(let members): for member in members where left > 0 { member.value.take(from: &left) }
        case .text(let pieces): for piece in pieces { left -= 1 + (piece?.utf8.count ?? 0) / 64 }
        case .query(let shape): left -= shape.parts.count
        case .part(.filter(let filter), _): left -= filter.count(upTo: left)
        default: break
        }
        left = max(0, left - 1)
    }

    /// A list; what is too much is not known.
    static func bounded(_ elements: [Known], isOpen: Bool) -> Known {
        guard elements.count > maximumCount else { return .list(elements, isOpen: isOpen) }
        return .list(Array(elements.prefix(maximumCount)), isOpen: true)
    }

    /// A list with the elements of another one behind its own; open if that is no list.
    func appending(elementsOf other: Known) -> Known {
        guard case .list(let known, let isOpen) = self else { return self }
        guard case .list(let more, let isOpenToo) = other else { return .list(known, isOpen: true) }
        return .bounded(known + more, isOpen: isOpen || isOpenToo)
    }

    /// A text; what is too much is not known.
    static func bounded(_ pieces: [String?]) -> Known {
        .text(pieces.count > maximumCount ? pieces.prefix(maximumCount) + [nil] : pieces)
    }
}

extension SourceFilter {
    /// More comparisons are in no filter of a query.
    static let maximumCount = 300

    /// How many comparisons it has, at most a bound.
    func count(upTo bound: Int) -> Int {
        switch self {
        case .compare: return min(1, bound)
        case .and(let filters), .or(let filters):
            var count = 0
            for filter in filters where count < bound { count += filter.count(upTo: bound - count) }
            return count
        }
    }
}
