// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc

extension Environment {
    /// Doubles the map. The caller is the process's writer and has ended its transaction.
    func growMap() throws(LMDBError) {
        gate.pauseWrite()
        defer { gate.resumeWrite() }
        let (size, overflow) = info.mapSize.multipliedReportingOverflow(by: 2)
        let isPossible = !overflow && isAddressSpaceLeft(size)
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

    /// Whether a map of this size fits beside the old one, to be sure before the old one is unmapped.
    private func isAddressSpaceLeft(_ size: Int) -> Bool {
        let map = unsafe mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard unsafe map != MAP_FAILED else { return false }
        unsafe munmap(map, size)
        return true
    }
}
