// SPDX-License-Identifier: Apache-2.0

/// NoBench-shaped documents: its generator, but for the words of `nested_arr`, which come from a list of our own with Zipf's
/// frequencies and our own random numbers.
enum NoBench {
    static let wordCount = 10_000

    static func dataset(_ count: Int) -> Dataset {
        Dataset(
            name: "nobench", collection: "nobench", count: count, columns: [],
            // SQLite cannot have a thousand expression indexes: of the sparse fields those that queries name.
            indexed: [
                "str1", "str2", "num", "bool", "dyn1", "dyn2", "nested_obj.str", "nested_obj.num", "thousandth",
                "sparse_110", "sparse_119", "sparse_220", "sparse_550",
            ],
            arrays: ["nested_arr"], composites: [], document: { document($0, of: count) })
    }

    /// RFC 4648 base32 of the text that Python's `bin` gives.
    static func text(_ number: Int) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        let bytes = Array(("0b" + String(number, radix: 2)).utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 5) {
            let group = Array(bytes[start..<min(start + 5, bytes.count)])
            let bits = (0..<5).reduce(UInt64(0)) { $0 << 8 | UInt64($1 < group.count ? group[$1] : 0) }
            let digits = (group.count * 8 + 4) / 5
            for digit in 0..<8 {
                text.append(digit < digits ? alphabet[Int(bits >> UInt64(35 - 5 * digit)) & 31] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The words of a document: as often as Zipf's law says, so that a word can come twice.
    static func words(_ seed: Int) -> [Int] {
        var random = SplitMix(UInt64(seed))
        return (0..<seed % 8).map { _ in
            // Inverse of the harmonic sum, which is nearly a logarithm.
            let share = Double(random.next() >> 11) * 0x1p-53
            var word = 1.0
            let target = share * harmonic
            word = exponential(target - 0.5772)
            return min(max(Int(word), 1), wordCount) - 1
        }
    }

    private static let harmonic = (1...wordCount).reduce(0.0) { $0 + 1 / Double($1) }

    private static func exponential(_ x: Double) -> Double {
        var (term, sum) = (1.0, 1.0)
        for step in 1..<60 {
            term *= x / Double(step)
            sum += term
        }
        return sum
    }

    /// - Parameter seed: from 0 to below `count`, or beyond for the extra set.
    static func document(_ seed: Int, of count: Int) -> BenchmarkDocument {
        let other = (seed + count / 2) % count
        let dyn2: Plain =
            switch seed % 3 {
            case 2: .integer(Int64(seed))
            case 1: .string(text(seed))
            default: .boolean(seed % 2 == 1)
            }
        var fields: [(name: String, value: Plain)] = [
            ("str1", .string(text(seed))), ("str2", .string(text(other))), ("num", .integer(Int64(seed))),
            ("bool", .boolean(seed % 2 == 1)),
            ("dyn1", seed % 20 == 0 ? .string(text(seed)) : .integer(Int64(seed))), ("dyn2", dyn2),
            ("nested_arr", .array(words(seed).map { .string("word\($0)") })),
            ("nested_obj", .map([("str", .string(text(other))), ("num", .integer(Int64(other)))])),
        ]
        for index in (seed % 100) * 10..<(seed % 100) * 10 + 10 {
            fields.append((sparse(index), .string(text(seed % 11))))
        }
        fields.append(("thousandth", .integer(Int64(seed % 1_000))))
        var random = SplitMix(UInt64(seed) &* 3 &+ 1)
        return BenchmarkDocument(id: random.id(), fields: fields)
    }

    static func sparse(_ index: Int) -> String {
        let digits = String(index)
        return "sparse_" + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// The word that is in a thousandth of the documents, as nearly as any is.
    static func rareWord(_ count: Int) -> String {
        var documents = [Int](repeating: 0, count: wordCount)
        for seed in 0..<count { for word in Set(words(seed)) { documents[word] += 1 } }
        let wanted = max(count / 1_000, 1)
        let word = documents.indices.min { abs(documents[$0] - wanted) < abs(documents[$1] - wanted) } ?? 0
        return "word\(word)"
    }
}
