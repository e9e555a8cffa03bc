// SPDX-License-Identifier: Apache-2.0

import LMDB

@testable import DocumentEngine

extension Engine {
    /// Changes stores behind the engine's back.
    func tamper(_ change: (inout Transaction) throws(EngineError) -> Void) throws(EngineError) {
        try scheduler.storage.write(change)
    }
}
