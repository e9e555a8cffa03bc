// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// Writes sorted entries to stores, behind what is there if their keys allow it, in commits of many.
struct SliceWriter {
    private let engine: Engine
    private let total: Int
    private var written = 0

    /// - Parameter total: bytes of keys and values that will be written.
    init(_ engine: Engine, total: Int) {
        self.engine = engine
        self.total = total
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
            try engine.write { (cursors, _, _) throws(EngineError) in
                let writer = try KeyedWriter(
                    engine.stores.keyed(store), runs: Counter(.runs, engine.stores), &cursors)
                let bytes = full.bytes.span.bytes
                for index in full.entries.indices {
                    try writer.append(
                        bytes.extracting(full.key(index)), bytes.extracting(full.value(index)), &cursors)
                }
            }
            written += full.bytes.count
            progress(total == 0 ? 1 : min(1, Double(written) / Double(total)))
            slice = try slices.next(reusing: full)
        }
    }
}
