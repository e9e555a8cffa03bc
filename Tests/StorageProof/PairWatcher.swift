// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Glibc
import QueryPlanner

/// Reads the pair that each commit of a ``NumberedWriter`` sets, until it is killed. Ends with a line if it sees half a commit.
struct PairWatcher {
    /// `watch DATABASE`
    let arguments: [String]

    func run() {
        let pair = Query(from: CollectionSelector(collectionID: "pair"))
        do {
            let engine = try Engine.open(arguments[1])
            while true {
                let found = try engine.records(pair).map { try $0.document().fields }
                guard found.isEmpty || found.count == 2 && found[0].isIdentical(to: found[1]) else {
                    print("of a pair there are \(found)")
                    exit(3)
                }
            }
        } catch {
            print("error: \(error)")
            exit(3)
        }
    }
}
