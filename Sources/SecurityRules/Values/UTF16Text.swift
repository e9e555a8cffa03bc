// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Rules see strings as UTF-16, in which a slice may end within a surrogate pair. A `Text` holds such a lone surrogate
/// as one of the last 2,048 scalars of the last private-use plane. A document that has these scalars itself is seen
/// with one unit where it has two.
extension Text {
    private static let firstLoneSurrogate: UInt32 = 0x10F800

    init(utf16 units: some Collection<UInt16>) {
        var scalars = String.UnicodeScalarView()
        var index = units.startIndex
        while index != units.endIndex {
            let unit = UInt32(units[index])
            let following = units.index(after: index)
            index = following
            if (0xD800..<0xDC00).contains(unit), following != units.endIndex,
                (0xDC00..<0xE000).contains(units[following])
            {
                let low = UInt32(units[following])
                index = units.index(after: following)
                scalars.append(scalar: 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
            } else if (0xD800..<0xE000).contains(unit) {
                scalars.append(scalar: Text.firstLoneSurrogate + (unit - 0xD800))
            } else {
                scalars.append(scalar: unit)
            }
        }
        self.init(String(scalars))
    }

    var isASCII: Bool { string.utf8.allSatisfy { $0 < 0x80 } }

    var utf16Count: Int { isASCII ? utf8Count : utf16Units.count }

    var utf16Units: [UInt16] {
        if isASCII { return string.utf8.map { UInt16($0) } }
        var units: [UInt16] = []
        units.reserveCapacity(utf8Count)
        for scalar in string.unicodeScalars {
            if scalar.value >= Text.firstLoneSurrogate {
                units.append(UInt16(0xD800 + (scalar.value - Text.firstLoneSurrogate)))
            } else if let unit = UInt16(exactly: scalar.value) {
                units.append(unit)
            } else {
                units.append(UTF16.leadSurrogate(scalar))
                units.append(UTF16.trailSurrogate(scalar))
            }
        }
        return units
    }

    /// Joins two strings. Lone surrogates that meet become one scalar.
    static func + (lhs: Text, rhs: Text) -> Text {
        guard lhs.hasLoneSurrogates, rhs.hasLoneSurrogates else { return Text(lhs.string + rhs.string) }
        return Text(utf16: lhs.utf16Units + rhs.utf16Units)
    }

    private var hasLoneSurrogates: Bool {
        !isASCII && string.unicodeScalars.contains { $0.value >= Text.firstLoneSurrogate }
    }

    /// With a question mark for each lone surrogate, as Java writes them.
    var withoutLoneSurrogates: String {
        guard hasLoneSurrogates else { return string }
        var scalars = String.UnicodeScalarView()
        for scalar in string.unicodeScalars { scalars.append(scalar.value >= Text.firstLoneSurrogate ? "?" : scalar) }
        return String(scalars)
    }

    /// The order of UTF-16 code units, which differs from the order of UTF-8 above U+FFFF.
    static func compareUTF16(_ lhs: Text, _ rhs: Text) -> Int {
        if lhs.isASCII && rhs.isASCII { return Text.compare(lhs, rhs) }
        let (left, right) = (lhs.utf16Units, rhs.utf16Units)
        if left == right { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}

extension String.UnicodeScalarView {
    fileprivate mutating func append(scalar value: UInt32) {
        append(Unicode.Scalar(value) ?? "\u{FFFD}")
    }
}
