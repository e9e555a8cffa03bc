// SPDX-License-Identifier: Apache-2.0

extension ResourcePath: Comparable {
    package static func compare(_ lhs: ResourcePath, _ rhs: ResourcePath) -> Int {
        for (left, right) in zip(lhs.segments, rhs.segments) {
            let order = compareSegments(left, right)
            if order != 0 { return order }
        }
        return lhs.count - rhs.count
    }

    package static func < (lhs: ResourcePath, rhs: ResourcePath) -> Bool { compare(lhs, rhs) < 0 }

    /// Numeric IDs sort first, as signed numbers, then the others by UTF-8 bytes (V-24).
    package static func compareSegments(_ lhs: Text, _ rhs: Text) -> Int {
        switch (numericID(lhs), numericID(rhs)) {
        case (let left?, let right?): left < right ? -1 : (left > right ? 1 : 0)
        case (.some, nil): -1
        case (nil, .some): 1
        case (nil, nil): Text.compare(lhs, rhs)
        }
    }

    /// The number in an ID of the form `__id<int64>__`. It has no plus sign and no leading zeros, so that two different
    /// IDs never have the same number.
    package static func numericID(_ segment: Text) -> Int64? {
        // Compares bytes, because a combining character merges with the letter or digit before it into one `Character`.
        let bytes = segment.string.utf8
        guard bytes.first == UInt8(ascii: "_"), bytes.count > 6, bytes.starts(with: "__id".utf8), segment.isReserved
        else { return nil }
        let digits = bytes.dropFirst(4).dropLast(2)
        guard let number = Int64(Substring(digits)), String(number).utf8.elementsEqual(digits) else { return nil }
        return number
    }
}

extension DocumentPath: Comparable {
    package static func < (lhs: DocumentPath, rhs: DocumentPath) -> Bool { lhs.resource < rhs.resource }
}

extension CollectionPath: Comparable {
    package static func < (lhs: CollectionPath, rhs: CollectionPath) -> Bool { lhs.resource < rhs.resource }
}
