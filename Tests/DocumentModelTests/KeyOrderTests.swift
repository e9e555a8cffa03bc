// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

/// Key bytes compare as values do.
@Suite struct KeyOrderTests {
    /// V-2 to V-20 on hand-picked values, every pair: equal within a group, in the order of groups across groups.
    @Test func hardCasesAscendAsTheirGroupsDo() {
        let values = HardCases.ascendingGroups.enumerated().flatMap { group, members in
            members.map { (group: group, keyed: Keyed($0)) }
        }
        for left in values {
            for right in values {
                let expected = (left.group - right.group).signum()
                if let failure = Keyed.failure(left.keyed, right.keyed, expected: expected) {
                    Issue.record("\(left.keyed.value) and \(right.keyed.value): \(failure)")
                }
            }
        }
    }

    /// V-2 to V-20 over at least 200,000 pairs: batches of values and near misses, all pairs of a batch.
    @Test func bytesCompareAsValuesDo() throws {
        let nearMiss = NearMiss()
        var pairs = 0
        try check(
            count: Rounds.of(110),
            generate: { random in
                (0..<16).flatMap { _ -> [Value] in
                    let value = nearMiss.values.value(&random)
                    let near = nearMiss.value(value, &random)
                    return [value, near, nearMiss.value(near, &random), nearMiss.value(value, &random)]
                }
            },
            shrink: Shrinker.array
        ) { batch in
            let keyed = batch.map(Keyed.init)
            for (index, left) in keyed.enumerated() {
                for right in keyed[index...] {
                    pairs += 1
                    let expected = NaiveOrder.compare(left.value, right.value).signum()
                    if let failure = Keyed.failure(left, right, expected: expected) {
                        return "\(left.value) and \(right.value): \(failure)"
                    }
                }
            }
            return nil
        }
        #expect(pairs >= Rounds.of(200_000))
    }

    /// Concatenated encodings compare as tuples, each element in its own direction.
    @Test func concatenationsCompareAsTuples() throws {
        let nearMiss = NearMiss()
        try check(
            count: Rounds.of(10_000),
            generate: { random in
                (0..<random.int(1..<5)).map { _ in
                    let value = nearMiss.values.value(&random, depth: 2)
                    let other = random.chance(0.6) ? value : nearMiss.value(value, &random)
                    return Place(left: value, right: other, descending: random.chance(0.5))
                }
            },
            shrink: Shrinker.array
        ) { places in
            var left = KeyEncoder()
            var right = KeyEncoder()
            var expected = 0
            for place in places {
                left.append(place.left, descending: place.descending)
                right.append(place.right, descending: place.descending)
                let order = NaiveOrder.compare(place.left, place.right).signum()
                if expected == 0 { expected = place.descending ? -order : order }
            }
            let order = compareBytes(left.bytes, right.bytes).signum()
            return order == expected ? nil : "bytes \(order), tuples \(expected)"
        }
    }

    private struct Place {
        let left: Value
        let right: Value
        let descending: Bool
    }

    @Test func encoderAppendsEncodedBytesAndForgets() {
        var encoder = KeyEncoder()
        encoder.append("x")
        let once = encoder.bytes
        encoder.append(encoded: once)
        #expect(encoder.bytes == once + once)
        encoder.removeAll()
        #expect(encoder.bytes.isEmpty)
        encoder.append("x")
        #expect(encoder.bytes == once)
    }
}

/// A value and its key bytes in both directions.
struct Keyed {
    let value: Value
    let ascending: [UInt8]
    let descending: [UInt8]

    init(_ value: Value) {
        self.value = value
        ascending = key(value)
        descending = key(value, descending: true)
    }

    /// A violation of the order of key bytes, or of the agreement of `==` and `compare` with it.
    static func failure(_ left: Keyed, _ right: Keyed, expected: Int) -> String? {
        let compared = Value.compare(left.value, right.value).signum()
        if compared != expected { return "Value.compare says \(compared), not \(expected)" }
        if (left.value == right.value) != (expected == 0) { return "== disagrees" }
        if (left.value < right.value) != (expected < 0) { return "< disagrees" }
        let order = compareBytes(left.ascending, right.ascending).signum()
        if order != expected { return "ascending bytes say \(order), not \(expected)" }
        let reverse = compareBytes(left.descending, right.descending).signum()
        if reverse != -expected { return "descending bytes say \(reverse), not \(-expected)" }
        if expected != 0, left.ascending.starts(with: right.ascending) || right.ascending.starts(with: left.ascending) {
            return "one encoding begins with the other"
        }
        return nil
    }
}

func key(_ value: Value, descending: Bool = false) -> [UInt8] {
    var encoder = KeyEncoder()
    encoder.append(value, descending: descending)
    return encoder.bytes
}
