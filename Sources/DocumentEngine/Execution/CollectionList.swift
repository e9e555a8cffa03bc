// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// The collections of a scope in the catalog, in path order or backwards. Includes empty ones.
struct CollectionList {
    /// A collection: its ID, and its path without the end mark, with which the names of its documents begin.
    struct Item {
        let collectionID: UInt64
        let path: [UInt8]
    }

    private var cursor: LongKeyCursor
    private let list: [UInt8]
    private let lower: [UInt8]
    /// The first key to look at, forwards.
    private var start: [UInt8]
    private let upper: [UInt8]
    /// The number of segments in the scope's paths, or nil if it varies.
    private let depth: Int?
    private let backwards: Bool
    private var isPlaced = false

    init(_ scope: DocumentScope, backwards: Bool, _ transaction: inout Transaction) throws(EngineError) {
        let parent: DocumentPath?
        switch scope {
        case .collection: preconditionFailure("one collection is scanned by itself")
        case .collectionGroup(let group, let under):
            list = CatalogKey.groupMembers(group)
            parent = under
            depth = nil
        case .children(let of):
            list = CatalogKey.collections
            parent = of
            depth = (of?.resource.count ?? 0) + 1
        case .descendants(let of):
            list = CatalogKey.collections
            parent = of
            depth = nil
        }
        lower = list + CollectionList.bytes(parent)
        start = lower
        upper = KeyRange.successor(of: lower)
        self.backwards = backwards
        cursor = try LongKeyCursor(.catalog, &transaction)
    }

    /// A path without its end mark, which is the prefix of all paths under it.
    private static func bytes(_ path: DocumentPath?) -> [UInt8] {
        var encoder = KeyEncoder()
        for segment in path?.resource.segments ?? [] { encoder.append(segment: segment) }
        return encoder.bytes
    }

    mutating func next(_ transaction: inout Transaction) throws(EngineError) -> Item? {
        var found: Bool
        if isPlaced {
            found = backwards ? try cursor.previous(&transaction) : try cursor.next(&transaction)
        } else {
            isPlaced = true
            let bound = backwards ? upper : start
            found =
                backwards
                ? try cursor.seek(before: bound.span.bytes, &transaction)
                : try cursor.seek(bound.span.bytes, &transaction)
        }
        while found, isInside(transaction) {
            let item = try item(transaction)
            guard let depth, try CollectionList.depth(item.path) != depth else { return item }
            // Forwards, skips the deeper collections in between with one seek.
            if backwards {
                found = try cursor.previous(&transaction)
            } else {
                let beyond = KeyRange.successor(of: list + (try CollectionList.prefix(item.path, depth)))
                found = try cursor.seek(beyond.span.bytes, &transaction)
            }
        }
        return nil
    }

    /// Moves so that the next collection is the first at or after these path bytes. Forwards only.
    mutating func place(_ path: [UInt8]) {
        let target = list + path
        guard !backwards, compareBytes(target, lower) > 0 else { return }
        start = target
        isPlaced = false
    }

    private func isInside(_ transaction: borrowing Transaction) -> Bool {
        let key = cursor.key(transaction)
        return compareBytes(key, lower.span.bytes) >= 0 && (upper.isEmpty || compareBytes(key, upper.span.bytes) < 0)
    }

    private func item(_ transaction: borrowing Transaction) throws(EngineError) -> Item {
        let key = cursor.key(transaction)
        let path = [UInt8](copying: key.extracting(list.count..<max(list.count, key.byteCount - 1)))
        return Item(
            collectionID: try CollectionRecord.collectionID(in: cursor.value(transaction), key: key), path: path)
    }

    /// The number of segments in an encoded path.
    static func depth(_ path: [UInt8]) throws(EngineError) -> Int {
        var reader = KeyReader(path.span.bytes)
        var depth = 0
        do throws(StoredFormatError) {
            while !reader.isAtEnd {
                try reader.skipSegment()
                depth += 1
            }
        } catch {
            throw EngineError(error)
        }
        return depth
    }

    /// The first `count` segments of an encoded path.
    static func prefix(_ path: [UInt8], _ count: Int) throws(EngineError) -> [UInt8] {
        var reader = KeyReader(path.span.bytes)
        do throws(StoredFormatError) {
            for _ in 0..<count where !reader.isAtEnd { try reader.skipSegment() }
        } catch {
            throw EngineError(error)
        }
        return Array(path[..<reader.offset])
    }
}
