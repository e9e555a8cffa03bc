// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import StorageWorkload

/// A workload's file after a power cut, in the mode without guarantees, inspected in child processes that may crash.
///
/// Each document in it was written at some time. If verification finds nothing, everything can be read.
struct LeftFile {
    private let path: String
    private let written: WrittenDocuments

    /// `left DATABASE SEED STEPS`
    init(_ arguments: [String]) {
        path = arguments[1]
        let workload = Workload(seed: UInt64(arguments[2])!, appliesIndexes: true)
        written = WrittenDocuments(workload, steps: Int(arguments[3])!)
    }

    /// Prints how verifying and reading ended, and what is wrong with that.
    func run() {
        let verified = Ending.of { DamageSubject.verify(path) }
        let read = Ending.of { readAll() }
        print("verified \(verified), read \(read)")
        if let finding = Ending.finding(verified, read) { print(finding) }
    }

    private func readAll() -> Int32 {
        do throws(EngineError) {
            var result = DamageSubject.same
            try DamageSubject.open(path, readOnly: true).forEachDocument { document in
                if !written.contains(document) { result = DamageSubject.wrong }
            }
            return result
        } catch {
            return DamageSubject.failed
        }
    }
}
