// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// Writes sorted entries to stores, behind what is there if their keys allow it, in commits of many.
struct SliceWriter {
    private let engine: Engine
    private let total: Int
    private var written = 0
    /// Nil where nobody minds long commits.
    private var pace: Pace?

    /// - Parameter total: bytes of keys and values that will be written.
    init(_ engine: Engine, total: Int, pace: Pace? = nil) {
        self.engine = engine
        self.total = total
        self.pace = pace
    }

    /// - Parameters:
    ///   - progress: told how much of the total is written, from 0 to 1.
    ///   - fill: as in ``Prefetcher/init(_:)``.
    mutating func write(
        _ store: Store, _ progress: (Double) -> Void,
        _ fill: @escaping @Sendable (inout EntryBuffer) throws(EngineError) -> Void
    ) throws(EngineError) {
        let slices = Prefetcher(fill)
        var slice = try slices.next()
        while let full = slice {
            try write(full, store)
            written += full.bytes.count
            progress(total == 0 ? 1 : min(1, Double(written) / Double(total)))
            slice = try slices.next(reusing: full)
        }
    }

    private mutating func write(_ slice: EntryBuffer, _ store: Store) throws(EngineError) {
        let engine = engine
        guard var pace else { return try SliceWriter.write(slice, slice.entries.indices, store, engine) }
        var rest = slice.entries.indices
        while !rest.isEmpty {
            try pace.measure { (limit) throws(EngineError) in
                let part = rest.prefix(limit)
                try SliceWriter.write(slice, part, store, engine)
                rest.removeFirst(part.count)
            }
        }
        self.pace = pace
    }

    /// One commit.
    private static func write(
        _ slice: EntryBuffer, _ part: Range<Int>, _ store: Store, _ engine: Engine
    ) throws(EngineError) {
        try engine.write { (cursors, _, _) throws(EngineError) in
            let writer = try KeyedWriter(engine.stores.keyed(store), runs: Counter(.runs, engine.stores), &cursors)
            try writer.append(slice, part, &cursors)
        }
    }
}
