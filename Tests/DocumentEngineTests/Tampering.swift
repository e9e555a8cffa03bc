// SPDX-License-Identifier: Apache-2.0

import LMDB

@testable import DocumentEngine

extension Engine {
    /// Changes stores behind the engine's back.
    func tamper(_ change: (inout CursorSet) throws(EngineError) -> Void) throws(EngineError) {
        try environment.write { (transaction) throws(EngineError) in
            var cursors = transaction.makeCursors()
            try change(&cursors)
        }
    }
}
