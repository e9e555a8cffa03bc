// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import FaultyStorage
import LMDB
import StorageWorkload

/// Runs some steps in a new database, and records everything that reaches its file and every reported commit.
struct RecordedWriter {
    private let folder: String
    private let record: String
    private let workload: Workload
    private let steps: Int
    private let durability: Environment.Durability

    /// `record FOLDER RECORD SEED STEPS DURABILITY`
    init(_ arguments: [String]) {
        folder = arguments[1]
        record = arguments[2]
        workload = Workload(seed: UInt64(arguments[3])!, appliesIndexes: true)
        steps = Int(arguments[4])!
        durability = StorageProof.durabilities[Int(arguments[5])!]
    }

    func run() throws {
        faulty_begin(folder)
        var options = Engine.Options()
        options.mapSize = 1 << 16
        options.durability = durability
        var engine = try Engine.open(folder + "/recorded.db", options)
        faulty_mark(0)
        for number in 1...steps {
            try workload.run(number, writer: 0, on: engine)
            faulty_mark(UInt64(number))
            // Reported commits must also survive closing and opening.
            if number == steps / 2 {
                try close(&engine)
                engine = try Engine.open(folder + "/recorded.db", options)
            }
        }
        guard faulty_save(record) == 0 else { fatalError("the record cannot be written") }
    }

    private func close(_ engine: inout Engine) throws {
        var options = Engine.Options()
        options.mapSize = 1 << 20
        // Releases the last reference to the recorded database.
        engine = try Engine.open(record + ".other.db", options)
    }
}
