// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension Environment {
    /// Doubles the map. The caller is the process's writer and has ended its transaction.
    func growMap() throws(LMDBError) {
        gate.pauseWrite()
        defer { gate.resumeWrite() }
        let (size, overflow) = info.mapSize.multipliedReportingOverflow(by: 2)
        // The old map is unmapped first, so another one must fit beside it.
        let isPossible = !overflow && System.isAddressSpaceLeft(size)
        guard isPossible, setMapSize(size) == 0 else {
            throw LMDBError(code: .mapFull, operation: .growMap, path: path)
        }
    }

    /// Maps as much as another process has grown the database to.
    func adoptMapSize() throws(LMDBError) {
        let code = setMapSize(0)
        guard code == 0 else { throw failure(code, .growMap) }
    }

    /// Exchanges the map while no transaction of this process is open.
    ///
    /// LMDB unmaps the old map first. If it fails then, nothing can be read until the file is opened again.
    private func setMapSize(_ size: Int) -> Int32 {
        gate.whileQuiet {
            pageAccess?.forgetMap()
            let code = unsafe mdb_env_set_mapsize(handle, size)
            return (result: code, isMapped: code == 0)
        }
    }
}
