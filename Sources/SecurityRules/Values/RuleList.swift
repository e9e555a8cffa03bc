// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A list of values. The elements of a stored one are converted where they are looked at: conditions may ask for the whole
/// of it again and again, and look at one element each time.
package struct RuleList: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
    private enum Storage: Sendable {
        case values([RuleValue])
        case stored([Value])
    }

    private let storage: Storage

    package init(_ values: [RuleValue]) { storage = .values(values) }

    package init(stored elements: [Value]) { storage = .stored(elements) }

    package init(arrayLiteral elements: RuleValue...) { storage = .values(elements) }

    package var startIndex: Int { 0 }

    package var endIndex: Int { count }

    package var count: Int {
        switch storage {
        case .values(let values): values.count
        case .stored(let elements): elements.count
        }
    }

    package subscript(place: Int) -> RuleValue {
        switch storage {
        case .values(let values): values[place]
        case .stored(let elements): RuleValue(elements[place])
        }
    }

    /// All elements: for what looks at each of them several times.
    var values: [RuleValue] {
        switch storage {
        case .values(let values): values
        case .stored(let elements): elements.map(RuleValue.init)
        }
    }

    /// The elements of a range, which are not converted for it.
    func part(_ range: Range<Int>) -> RuleList {
        switch storage {
        case .values(let values): RuleList(Array(values[range]))
        case .stored(let elements): RuleList(stored: Array(elements[range]))
        }
    }

    /// Whether a value is one of the elements.
    func has(_ value: RuleValue) -> Bool {
        switch storage {
        case .values(let values): values.contains { value.isElement($0) }
        case .stored(let elements): elements.contains { value.isElement(stored: $0) }
        }
    }

    /// How many elements take so many bytes.
    func count(ofExtent extent: Int) -> Int {
        switch storage {
        case .values(let values): values.count { $0.extent == extent }
        case .stored(let elements): elements.count { $0.extent == extent }
        }
    }

    /// Takes a pass over all that is in the list from a reach.
    func use(_ reach: inout Int, times: Int) {
        switch storage {
        case .values(let values): RuleValue.useElements(values, &reach, times)
        case .stored(let elements): Value.useElements(elements, &reach, times)
        }
    }
}
