// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Random values of every type that can be stored, with more difficult ones than usual: no array directly in an array
/// (V-21), no reserved field name (D-8), nesting well under 20 (D-16).
package struct ValueGenerator: Sendable {
    package let database: DatabaseID
    /// Whether strings and bytes may be longer than an LMDB key.
    package let allowsLong: Bool
    /// The fraction of strings and bytes that are long, if they may be.
    package let longShare: Double

    package init(
        database: DatabaseID = DatabaseID(project: "hearth"), allowsLong: Bool = true, longShare: Double = 0.08
    ) {
        self.database = database
        self.allowsLong = allowsLong
        self.longShare = longShare
    }

    /// - Parameter depth: how many levels of maps and arrays are left.
    package func value(_ random: inout SeededGenerator, depth: Int = 3) -> Value {
        if random.chance(0.08) { return random.pick(random.pick(HardCases.ascendingGroups)) }
        switch random.int(0..<(depth > 0 ? 14 : 11)) {
        case 0: return .null
        case 1: return .boolean(Bool.random(using: &random))
        case 2, 3, 4: return number(&random)
        case 5: return .timestamp(timestamp(&random))
        case 6, 7: return .string(text(&random))
        case 8: return .bytes(bytes(&random))
        case 9: return .reference(reference(&random))
        case 10: return .geoPoint(geoPoint(&random))
        case 11: return .array(array(&random, depth: depth - 1))
        case 12: return .vector(vector(&random))
        default: return .map(fields(&random, depth: depth - 1))
        }
    }

    package func number(_ random: inout SeededGenerator) -> Value {
        switch random.int(0..<8) {
        case 0: return .integer(Int64(random.int(-3..<4)))
        case 1: return .double(Double(random.int(-6..<7)) / 2)
        case 2: return .integer(Int64(bitPattern: random.next()))
        // Any bit pattern, including subnormals, infinities and NaN.
        case 3: return .double(Double(bitPattern: random.next()))
        case 4: return random.pick(random.pick(HardCases.numbers))
        case 5:
            // Near a power of two, where integers are no longer exact doubles.
            let power = Int64(1) << random.int(50..<63)
            return .integer((random.chance(0.5) ? power : -power) + Int64(random.int(-2..<3)))
        case 6:
            let power = Double(sign: random.chance(0.5) ? .plus : .minus, exponent: random.int(50..<66), significand: 1)
            return .double(random.pick([power, power.nextUp, power.nextDown]))
        default: return .double(Double.random(in: -1e6...1e6, using: &random))
        }
    }

    package func timestamp(_ random: inout SeededGenerator) -> Timestamp {
        let range = Timestamp.minimum.microseconds...Timestamp.maximum.microseconds
        let near = random.chance(0.5) ? Int64(random.int(-3..<4)) : Int64.random(in: range, using: &random)
        return random.chance(0.1) ? random.pick([.minimum, .maximum]) : Timestamp(microseconds: near)!
    }

    package func text(_ random: inout SeededGenerator) -> Text {
        if allowsLong, random.chance(longShare) { return longText(&random) }
        if random.chance(0.3) { return random.pick(HardCases.strings) }
        return Text((0..<random.int(0..<6)).map { _ in random.pick(ValueGenerator.fragments) }.joined())
    }

    /// Pieces that sort differently as UTF-16, by canonical equivalence, or with a terminator.
    private static let fragments = [
        "a", "b", "A", "z", "0", " ", "\0", "\u{1}", "\u{2}", "\u{7F}", "é", "e\u{301}", "\u{301}", "ß", "你",
        "\u{FFFD}",
        "\u{FFFF}", "\u{10000}", "😀", "👨‍👩‍👧", "\u{10FFFF}", ".", "`", "\\", "__",
    ]

    /// Near the lengths at which keys are cut, LMDB's 511 bytes and Firestore's 1,500, with a common prefix of all but
    /// the last bytes.
    func longText(_ random: inout SeededGenerator) -> Text {
        let length = random.pick([
            488, 489, 490, 491, 500, 509, 510, 511, 512, 513, 979, 980, 981, 1_022, 1_499, 1_500, 1_501, 3_000,
        ])
        let filler = random.pick(["x", "\0", "\u{1}", "é", "😀"])
        var string = String(repeating: filler, count: length / filler.utf8.count)
        string += (0..<random.int(0..<3)).map { _ in random.pick(ValueGenerator.fragments) }.joined()
        return Text(string)
    }

    package func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        let edges: [UInt8] = [0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF]
        if allowsLong, random.chance(longShare) {
            return [UInt8](repeating: random.pick(edges), count: random.int(480..<520)) + [random.pick(edges)]
        }
        return (0..<random.int(0..<6)).map { _ in random.pick(edges) }
    }

    package func reference(_ random: inout SeededGenerator) -> Reference {
        if random.chance(0.2), case .reference(let reference) = random.pick(random.pick(HardCases.references)) {
            return reference
        }
        let path = (0..<random.int(1..<3)).flatMap { _ in [collectionID(&random), documentID(&random)] }
        return Reference(database: database, path: ResourcePath(segments: path))
    }

    package func collectionID(_ random: inout SeededGenerator) -> Text { random.pick(["c", "d", "cc", "é", "😀"]) }

    /// A valid document ID (D-3): not empty, without a slash, and not reserved, except numeric IDs.
    package func documentID(_ random: inout SeededGenerator) -> Text {
        switch random.int(0..<10) {
        case 0: return Text("__id\(random.int(-12..<13))__")
        case 1: return random.pick(["__id-9223372036854775808__", "__id9223372036854775807__", "__id", "_", "__"])
        case 2:
            let candidate = text(&random).string.split(separator: "/").joined()
            let isUsable = !["", ".", ".."].contains(candidate) && candidate.utf8.count <= 1_500
            return isUsable && !isReserved(candidate) ? Text(candidate) : "x"
        default: return Text("\(random.pick(["a", "b", "doc"]))\(random.int(0..<30))")
        }
    }

    private func isReserved(_ name: String) -> Bool {
        name.utf8.count >= 4 && name.utf8.starts(with: "__".utf8) && name.utf8.reversed().starts(with: "__".utf8)
    }

    package func geoPoint(_ random: inout SeededGenerator) -> GeoPoint {
        let latitude = random.pick([-90, -1, -0.0, 0, 1, 90, Double.random(in: -90...90, using: &random)])
        let longitude = random.pick([-180, -1, -0.0, 0, 1, 180, Double.random(in: -180...180, using: &random)])
        return GeoPoint(latitude: latitude, longitude: longitude)!
    }

    package func vector(_ random: inout SeededGenerator) -> [Double] {
        (0..<random.int(1..<5)).map { _ in random.pick([-1, -0.0, 0, 0.5, 1, .infinity, .nan]) }
    }

    /// Elements with some repetitions, none of them an array.
    package func array(_ random: inout SeededGenerator, depth: Int) -> [Value] {
        var elements: [Value] = []
        for _ in 0..<random.int(0..<5) {
            if let earlier = elements.last, random.chance(0.3) {
                elements.append(earlier)
                continue
            }
            let element = value(&random, depth: depth)
            if element.typeClass != .array { elements.append(element) }
        }
        return elements
    }

    package func fields(_ random: inout SeededGenerator, depth: Int) -> Fields {
        var fields = Fields()
        for _ in 0..<random.int(0..<4) {
            let name = random.chance(0.7) ? random.pick(["a", "aa", "b", "c"]) : text(&random)
            let isUsable = !name.string.isEmpty && !isReserved(name.string) && name.utf8Count <= 1_500
            if isUsable { fields[name] = value(&random, depth: depth) }
        }
        return fields
    }
}
