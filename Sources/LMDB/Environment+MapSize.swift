// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension Environment {
    /// Doubles the map. The caller is the process's writer and has ended its transaction.
    func growMap() throws(LMDBError) {
        gate.pauseWrite()
        defer { gate.resumeWrite() }
        let current = info.mapSize
        let (doubled, overflow) = current.multipliedReportingOverflow(by: 2)
        let code = overflow ? MDB_MAP_FULL : setMapSize(doubled, else: current)
        guard code == 0 else { throw LMDBError(code: .mapFull, operation: .growMap, path: path) }
    }

    /// Takes over the size to which another process grew the database.
    func adoptMapSize() throws(LMDBError) {
        let code = setMapSize(0, else: info.mapSize)
        guard code == 0 else { throw failure(code, .growMap) }
    }

    /// Exchanges the map while no transaction of this process is open; goes back to the old size on failure.
    private func setMapSize(_ size: Int, else old: Int) -> Int32 {
        gate.whileQuiet {
            let code = unsafe mdb_env_set_mapsize(handle, size)
            let isMapped = unsafe code == 0 || mdb_env_set_mapsize(handle, old) == 0
            return (result: code, isMapped: isMapped)
        }
    }
}
