// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A store as a sorted array.
struct Model {
    enum Place: Equatable {
        case unplaced, beforeStart, pastEnd
        case at([UInt8])
        case deleted([UInt8])

        var isEntry: Bool { if case .at = self { true } else { false } }
    }

    var entries: [(key: [UInt8], value: [UInt8])] = []

    /// The index of the first key not below `key`.
    private func lowerBound(_ key: [UInt8]) -> Int {
        entries.firstIndex { !$0.key.lexicographicallyPrecedes(key) } ?? entries.count
    }

    mutating func put(_ key: [UInt8], _ value: [UInt8]) {
        let index = lowerBound(key)
        if index < entries.count, entries[index].key == key {
            entries[index].value = value
        } else {
            entries.insert((key, value), at: index)
        }
    }

    mutating func delete(_ key: [UInt8]) -> Bool {
        let index = lowerBound(key)
        guard index < entries.count, entries[index].key == key else { return false }
        entries.remove(at: index)
        return true
    }

    func get(_ key: [UInt8]) -> [UInt8]? { entries.first { $0.key == key }?.value }

    var first: Place { entries.first.map { .at($0.key) } ?? .pastEnd }
    var last: Place { entries.last.map { .at($0.key) } ?? .beforeStart }
    func seek(_ key: [UInt8]) -> Place { place(lowerBound(key)) }

    func after(_ place: Place) -> Place {
        switch place {
        case .unplaced, .beforeStart: first
        case .pastEnd: .pastEnd
        case .at(let key): self.place(lowerBound(key) + 1)
        case .deleted(let key): seek(key)
        }
    }

    /// Steps to following entries whose keys are below `bound` (empty: any) and short enough.
    func advance(
        _ place: Place, below bound: [UInt8], shorterThan length: Int, atMost limit: Int
    ) -> (steps: Int, place: Place) {
        var (steps, place) = (0, place)
        while steps < limit, case .at(let key) = after(place), key.count < length,
            bound.isEmpty || key.lexicographicallyPrecedes(bound)
        {
            (steps, place) = (steps + 1, .at(key))
        }
        return (steps, place)
    }

    func before(_ place: Place) -> Place {
        switch place {
        case .unplaced, .pastEnd: last
        case .beforeStart: .beforeStart
        case .at(let key), .deleted(let key):
            lowerBound(key) == 0 ? .beforeStart : .at(entries[lowerBound(key) - 1].key)
        }
    }

    private func place(_ index: Int) -> Place { index < entries.count ? .at(entries[index].key) : .pastEnd }

    /// An existing key as often as a new one, long or short, with common prefixes.
    func anyKey(_ random: inout SeededGenerator) -> [UInt8] {
        if Bool.random(using: &random), let entry = entries.randomElement(using: &random) { return entry.key }
        let length = Int.random(in: 0..<10, using: &random) == 0 ? 511 : Int.random(in: 1...12, using: &random)
        return (0..<length).map { _ in [0, 1, 127, 128, 255].randomElement(using: &random)! }
    }

    static func anyValue(_ random: inout SeededGenerator) -> [UInt8] {
        let length = [0, 1, 8, 300, 2000, 2100, 9000].randomElement(using: &random)!
        return [UInt8](repeating: .random(in: 0...255, using: &random), count: length)
    }
}
