// SPDX-License-Identifier: Apache-2.0

/// The characters that one step of a pattern accepts. Lone surrogates are characters too.
struct CharacterSet: Sendable {
    enum Item: Sendable {
        case range(ClosedRange<UInt32>)
        case categories(Set<Unicode.GeneralCategory>)
        /// Sorted ranges.
        case ranges([ClosedRange<UInt32>])
        case inverted([Item])

        func contains(_ scalar: UInt32) -> Bool {
            switch self {
            case .range(let range): return range.contains(scalar)
            case .categories(let categories):
                guard let scalar = Unicode.Scalar(scalar) else { return categories.contains(.surrogate) }
                return categories.contains(scalar.properties.generalCategory)
            case .ranges(let ranges):
                var (low, high) = (0, ranges.count)
                while low < high {
                    let middle = (low + high) / 2
                    if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
                }
                return low < ranges.count && ranges[low].contains(scalar)
            case .inverted(let items): return !items.contains { $0.contains(scalar) }
            }
        }

        /// Whether one of several letters that count as the same is in it; of an inverted set, whether none is outside.
        func containsAny(of scalars: [UInt32]) -> Bool {
            if case .inverted(let items) = self { return !items.contains { $0.containsAny(of: scalars) } }
            return scalars.contains(where: contains)
        }
    }

    private let items: [Item]
    private let isInverted: Bool
    private let ignoresCase: Bool
    /// The answers for ASCII, a bit each.
    private var ascii: (UInt64, UInt64) = (0, 0)

    init(_ items: [Item], isInverted: Bool = false, ignoresCase: Bool = false) {
        self.items = items
        self.isInverted = isInverted
        self.ignoresCase = ignoresCase
        for scalar in 0..<128 as Range<UInt32> where search(scalar) {
            if scalar < 64 { ascii.0 |= 1 << UInt64(scalar) } else { ascii.1 |= 1 << UInt64(scalar - 64) }
        }
    }

    private init(_ scalar: UInt32) {
        items = [.range(scalar...scalar)]
        isInverted = false
        ignoresCase = false
        if scalar < 64 { ascii.0 = 1 << UInt64(scalar) } else if scalar < 128 { ascii.1 = 1 << UInt64(scalar - 64) }
    }

    static func character(_ scalar: UInt32, ignoresCase: Bool) -> CharacterSet {
        guard ignoresCase else { return CharacterSet(scalar) }
        let variants = CaseFolding.variants(of: scalar).map { Item.range($0...$0) }
        return CharacterSet([.range(scalar...scalar)] + variants, ignoresCase: true)
    }

    func contains(_ scalar: UInt32) -> Bool {
        if scalar < 64 { return ascii.0 >> UInt64(scalar) & 1 == 1 }
        if scalar < 128 { return ascii.1 >> UInt64(scalar - 64) & 1 == 1 }
        return search(scalar)
    }

    private func search(_ scalar: UInt32) -> Bool {
        guard ignoresCase else { return items.contains { $0.contains(scalar) } != isInverted }
        let letters = [scalar] + CaseFolding.variants(of: scalar)
        return items.contains { $0.containsAny(of: letters) } != isInverted
    }
}

/// Simple case folding: the other letters that count as the same.
enum CaseFolding {
    static func variants(of scalar: UInt32) -> [UInt32] {
        guard let character = Unicode.Scalar(scalar) else { return [] }
        var found: Set<UInt32> = []
        var open = [character]
        while let next = open.popLast() {
            let properties = next.properties
            let mappings = [properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping]
            for mapping in mappings + (irregular[next.value] ?? []).map({ String($0) }) {
                let scalars = mapping.unicodeScalars
                guard scalars.count == 1, let variant = scalars.first, variant != character else { continue }
                if found.insert(variant.value).inserted { open.append(variant) }
            }
        }
        return Array(found)
    }

    /// Letters that map onto others, seen from these.
    private static let irregular: [UInt32: [Unicode.Scalar]] = {
        var irregular: [UInt32: [Unicode.Scalar]] = [:]
        for value in 0x80...0x1E_943 as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isCased else { continue }
            for mapping in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
                let scalars = mapping.unicodeScalars
                guard scalars.count == 1, let target = scalars.first, target != scalar else { continue }
                irregular[target.value, default: []].append(scalar)
            }
        }
        // Their mappings are Turkish, and no folding joins them with the plain letters.
        irregular[0x69]?.removeAll { $0.value == 0x130 }
        irregular[0x49]?.removeAll { $0.value == 0x131 }
        return irregular
    }()
}
