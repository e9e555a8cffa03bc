// SPDX-License-Identifier: Apache-2.0

import FaultyStorage
import StorageWorkload

/// Makes commits with placed pages in a new database, and records everything that reaches its file and every reported
/// commit.
struct PlacedWriter {
    /// `record-placed FOLDER RECORD COMMITS`
    let arguments: [String]

    func run() throws {
        faulty_begin(arguments[1])
        let subject = try PlacedCommits(arguments[1] + "/recorded.db")
        faulty_mark(0)
        for number in 1...Int(arguments[3])! {
            try subject.commit(number)
            faulty_mark(UInt64(number))
        }
        guard faulty_save(arguments[2]) == 0, subject.hasReserve() else {
            fatalError("the record cannot be written, or no reserve was put")
        }
    }
}
