// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// The value stored under the key; separate from the functions that build spans because it owns locals.
///
/// - Parameter tree: nil where LMDB reads the pages.
@unsafe @inline(never)
func lookUp(
    _ transaction: OpaquePointer, _ tree: Tree?, _ store: Store, _ key: borrowing RawSpan
) throws(LMDBError) -> MDB_val? {
    guard key.byteCount > 0, let start = unsafe address(of: key) else { return nil }
    if let tree = unsafe tree {
        switch unsafe tree.find(SoughtKey(start, count: key.byteCount)) {
        case .value(let value): return unsafe value
        case .absent: return nil
        case .damaged: throw LMDBError(MDB_CORRUPTED, .get)
        }
    }
    var key = unsafe lmdbValue(key)
    var value = unsafe MDB_val()
    let code = unsafe mdb_get(transaction, store.dbi, &key, &value)
    switch code {
    case 0: return unsafe value
    case MDB_NOTFOUND: return nil
    default: throw LMDBError(code, .get)
    }
}
