// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import Synchronization

/// The names of maps that `data()` has read, as a dictionary. One of a map with the same names is made from it, without a name being
/// read or hashed.
final class MapShape: Sendable {
    let names: StoredNames
    /// Of the names.
    let hash: UInt64
    /// The index of each name.
    let indexes: [String: Int]

    /// Nil for names that are one key in Swift though they differ in their bytes.
    init?(_ names: StoredNames, hash: UInt64) {
        indexes = Dictionary(names.strings.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        guard indexes.count == names.count else { return nil }
        self.names = names
        self.hash = hash
    }
}

/// The shapes of the maps that a thread reads, as far as they come again.
final class MapShapes: Sendable {
    enum Finding {
        /// The names must be compared: others may have the same hash.
        case known(MapShape)
        /// They have come before and are worth keeping.
        case recurring
        case new
    }

    private struct Place {
        var kept: MapShape?
        /// Of the names that came last, if they were not those that are kept.
        var hash: UInt64 = 0
    }

    private static let placeCount = 64
    private static let all = (0..<ShardNumber.count).map { _ in MapShapes() }

    /// Runs `body` with this thread's.
    static func withOwn<R>(_ body: (MapShapes) -> R) -> R { ShardNumber.withOwn(of: all, body) }

    private let places = Mutex(Array(repeating: Place(), count: placeCount))
    private let padding = CacheLinePadding()

    func find(_ hash: UInt64) -> Finding {
        places.withLock { places in
            let index = MapShapes.index(hash)
            if let kept = places[index].kept, kept.hash == hash { return .known(kept) }
            defer { places[index].hash = hash }
            return places[index].hash == hash ? .recurring : .new
        }
    }

    func keep(_ shape: MapShape) {
        places.withLock { $0[MapShapes.index(shape.hash)].kept = shape }
    }

    private static func index(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> 32) & (placeCount - 1) }
}
