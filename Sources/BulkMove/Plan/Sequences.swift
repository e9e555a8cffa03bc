// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// How many pairs tell something, and how many of them are as a sequence has them.
private enum Trend {
    static let fewestPairs = 100
    static let share = 0.95

    static func isOne(_ fitting: Int, of pairs: Int) -> Bool {
        pairs >= fewestPairs && Double(fitting) >= share * Double(pairs)
    }
}

/// Whether documents get names one after another: counters, dates, zero-padded numbers.
struct NameSequence {
    private var last: (path: DocumentPath, created: Int64, counter: Counter?)?
    private var rising = 0
    private var falling = 0
    private var pairs = 0
    private var counters = 0

    /// The number at the end of an ID, and what is before it.
    private struct Counter {
        let prefix: ArraySlice<UInt8>
        let number: Int64

        init?(_ id: Text) {
            let bytes = Array(id.string.utf8)
            let digits = bytes.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            guard digits > 0, let number = Int64(String(decoding: bytes.suffix(digits), as: UTF8.self)) else {
                return nil
            }
            self.number = number
            prefix = bytes.dropLast(digits)
        }
    }

    private var numbers: ClosedRange<Int64>?

    /// A counter's numbers are not spread over more than so many for each name, though some may be gone.
    private static let greatestSpread: UInt64 = 4

    /// The documents come in the order of their names.
    mutating func note(_ path: DocumentPath, created: Int64) {
        let counter = Counter(path.id)
        defer { last = (path, created, counter) }
        guard let last, last.path.collection == path.collection else { return }
        pairs += 1
        if created > last.created { rising += 1 }
        if created < last.created { falling += 1 }
        guard let counter, let before = last.counter, counter.prefix == before.prefix else { return }
        counters += 1
        let known = numbers ?? counter.number...counter.number
        numbers = min(known.lowerBound, counter.number)...max(known.upperBound, counter.number)
    }

    var evidence: HotRange.Evidence? {
        let told = rising + falling
        // Without creation times that differ, numbers are all there is.
        if Trend.isOne(max(rising, falling), of: told) { return .creation }
        guard let numbers, Trend.isOne(counters, of: pairs) else { return nil }
        // Numbers have at most 19 digits and no sign.
        let spread = UInt64(numbers.upperBound - numbers.lowerBound)
        return spread / UInt64(counters) <= NameSequence.greatestSpread ? .values : nil
    }
}

/// Whether a field's values grow, or shrink, with the time of creation.
struct ValueSequence {
    private var points: [(created: Int64, value: Int64)] = []
    private var times = 0
    private(set) var count = 0
    /// Every so many documents are kept.
    private var stride = 1

    private static let kept = 4_096
    /// The share of different values that a clock gives.
    private static let clockShare = 0.9

    mutating func note(_ value: Int64, _ isTime: Bool, _ created: Int64) {
        defer { count += 1 }
        if isTime { times += 1 }
        guard count.isMultiple(of: stride) else { return }
        points.append((created, value))
        guard points.count == ValueSequence.kept else { return }
        points = points.indices.filter { $0.isMultiple(of: 2) }.map { points[$0] }
        stride *= 2
    }

    var evidence: HotRange.Evidence? {
        let sorted = points.sorted { $0.created < $1.created }
        var (rising, falling, told) = (0, 0, 0)
        for (before, after) in zip(sorted, sorted.dropFirst()) where before.created < after.created {
            told += 1
            if before.value < after.value { rising += 1 }
            if before.value > after.value { falling += 1 }
        }
        if told >= Trend.fewestPairs { return Trend.isOne(max(rising, falling), of: told) ? .creation : nil }
        let different = Set(points.map(\.value)).count
        guard times == count, points.count >= Trend.fewestPairs,
            Double(different) >= ValueSequence.clockShare * Double(points.count)
        else { return nil }
        return .values
    }
}
