// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// YCSB's keys, values and distributions.
enum YCSB {
    static let fieldCount = 10
    static let fieldLength = 100

    static func fnv(_ number: UInt64) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in 0..<8 {
            hash ^= number >> UInt64(8 * octet) & 0xFF
            hash = hash &* 1_099_511_628_211
        }
        return UInt64(Int64(bitPattern: hash).magnitude)
    }

    static func key(_ number: Int) -> String { "user\(fnv(UInt64(number)))" }

    static func value(_ random: inout SplitMix) -> String {
        let bytes = (0..<fieldLength).map { _ in UInt8(ascii: " ") + UInt8(random.next() % 95) }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func document(_ number: Int) -> BenchmarkDocument {
        var random = SplitMix(UInt64(number) &+ 99)
        return BenchmarkDocument(
            id: key(number), fields: (0..<fieldCount).map { ("field\($0)", .string(value(&random))) })
    }

    /// No field is queried, so none is indexed in SQLite; in Hearth an exemption says the same.
    static func dataset(_ count: Int) -> Dataset {
        Dataset(
            name: "usertable", collection: "usertable", count: count,
            columns: (0..<fieldCount).map { ("field\($0)", .text) }, indexed: [], arrays: [], composites: [],
            document: document)
    }

    static var indexConfiguration: String {
        let overrides = (0..<fieldCount).map {
            "{\"collectionGroup\":\"usertable\",\"fieldPath\":\"field\($0)\",\"indexes\":[]}"
        }
        return "{\"indexes\":[],\"fieldOverrides\":[\(overrides.joined(separator: ","))]}"
    }

    /// Gray's generator of Zipf's distribution with theta 0.99 over 0..<items.
    struct Zipfian: Sendable {
        private let items: Double
        private let zeta: Double
        private let eta: Double
        private static let theta = 0.99
        private static let alpha = 1 / (1 - theta)

        init(items: Int, zeta: Double? = nil) {
            self.items = Double(items)
            let zeta = zeta ?? (1...max(items, 1)).reduce(0) { $0 + 1 / pow(Double($1), Zipfian.theta) }
            let zetaOfTwo = 1 + pow(0.5, Zipfian.theta)
            self.zeta = zeta
            eta = (1 - pow(2 / self.items, 1 - Zipfian.theta)) / (1 - zetaOfTwo / zeta)
        }

        func next(_ random: inout SplitMix) -> Int {
            let share = Double(random.next() >> 11) * 0x1p-53
            if share * zeta < 1 { return 0 }
            if share * zeta < 1 + pow(0.5, Zipfian.theta) { return 1 }
            return Int(items * pow(eta * share - eta + 1, Zipfian.alpha))
        }
    }

    /// The items of the scrambled distribution and their zeta, as YCSB has them.
    static let scrambled = Zipfian(items: 10_000_000_000, zeta: 26.46902820178302)
}
