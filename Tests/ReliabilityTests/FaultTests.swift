// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// The n-th write, sync, map or allocation of liblmdb fails, for every n: a typed error, no trap, no further write
/// after a failed sync or header write, and a database that opens again and verifies.
@Suite struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let kind: Int
        let error: Int32
        let isLasting: Bool
        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "a write fails with EIO", kind: 0, error: EIO, isLasting: false),
        Fault(name: "a write fails with ENOSPC", kind: 0, error: ENOSPC, isLasting: false),
        Fault(name: "a write fails with EDQUOT", kind: 0, error: EDQUOT, isLasting: false),
        Fault(name: "a write comes out short", kind: 0, error: 0, isLasting: false),
        Fault(name: "a write comes out short of a user's share", kind: 0, error: -EDQUOT, isLasting: false),
        Fault(name: "writes fail from some time on", kind: 0, error: ENOSPC, isLasting: true),
        Fault(name: "a sync fails", kind: 1, error: EIO, isLasting: false),
        Fault(name: "syncs fail from some time on", kind: 1, error: ENOSPC, isLasting: true),
        Fault(name: "a map fails", kind: 2, error: ENOMEM, isLasting: false),
        Fault(name: "maps fail from some time on", kind: 2, error: ENOSPC, isLasting: true),
        Fault(name: "an allocation fails", kind: 3, error: ENOMEM, isLasting: false),
        Fault(name: "allocations fail from some time on", kind: 3, error: ENOMEM, isLasting: true),
    ]

    /// Every call may fail while pages are placed.
    @Test(arguments: faults) func everyCallMayFailWhilePagesArePlaced(_ fault: Fault) throws {
        let directory = try TemporaryDirectory()
        let stride = StorageProof.count("HEARTH_FAULT_STRIDE", else: [3, 1, 1, 7][fault.kind] * Rounds.share)
        let run = try StorageProof.run([
            "faults-placed", directory.url.path, String(fault.kind), String(fault.error), fault.isLasting ? "1" : "0",
            String(stride),
        ])
        print("placed, \(fault.name): \(run.output.split(separator: "\n").last ?? "")")
        #expect(
            run.process.terminationReason == .exit && run.process.terminationStatus == 0, "\(run.output.suffix(2000))")
        #expect(run.output.split(separator: "\n").dropLast() == [])
    }

    @Test(arguments: faults) func everyCallMayFail(_ fault: Fault) throws {
        var random = SeededGenerator.printingSeed(fault.name)
        let directory = try TemporaryDirectory()
        // Every call in long runs; otherwise every n-th call, starting at random by the seed.
        let stride = StorageProof.count("HEARTH_FAULT_STRIDE", else: [7, 2, 1, 5][fault.kind] * Rounds.share)
        let run = try StorageProof.run([
            "faults", directory.url.path, String(fault.kind), String(fault.error), fault.isLasting ? "1" : "0",
            String(stride), String(random.next()),
        ])
        print("\(fault.name): \(run.output.split(separator: "\n").last ?? "")")
        #expect(
            run.process.terminationReason == .exit && run.process.terminationStatus == 0, "\(run.output.suffix(2000))")
        #expect(run.output.split(separator: "\n").dropLast() == [], "seed \(random.seed)")
    }
}
