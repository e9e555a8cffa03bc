// SPDX-License-Identifier: Apache-2.0
internal import CScan
internal import LMDB

private let entryCount = 1_000_000
private let keyLength = 30

/// Scans and reads entries of 30-byte keys and 8-byte values, through the wrapper and in C on a copy of the file.
func runScanBenchmark() throws {
    let folder = ".scan-benchmark-\(processID)"
    makeFolder(folder)
    defer { for name in ["/a", "/a-lock", "/b", "/b-lock", ""] { removeFile(folder + name) } }
    let environment = try Environment.open(folder + "/a", .init(durability: .mayLoseDatabase))
    let store = try environment.openStores(["entries"], create: true)[0]
    try fill(environment, store)
    try environment.copy(to: folder + "/b", compacting: false)
    guard let plain = cscan_open(folder + "/b", "entries") else { return print("Could not open the copy in C.") }
    defer { cscan_close(plain) }
    let keys = randomKeys(count: 200_000)
    let count = keys.count / keyLength

    try Comparison("scan, an entry", per: entryCount) {
        try environment.read(scanAll(store))
    } plain: {
        cscan_all(plain)
    }.report()
    try Comparison("point get", per: count) {
        try environment.read(getAll(store, keys))
    } plain: {
        cscan_get(plain, keys, keyLength, count)
    }.report()
    try Comparison("seek", per: count) {
        try environment.read(seekAll(store, keys))
    } plain: {
        cscan_seek(plain, keys, keyLength, count)
    }.report()
    try Comparison("read of 10 entries", per: count) {
        try shortReads(environment, store, keys)
    } plain: {
        cscan_short(plain, keys, keyLength, count)
    }.report()
}

private func key(_ index: Int) -> [UInt8] {
    let digits = String(index)
    return Array(("entries/" + String(repeating: "0", count: keyLength - 8 - digits.count) + digits).utf8)
}

private func fill(_ environment: Environment, _ store: Store) throws(LMDBError) {
    try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
        var cursors = transaction.makeCursors()
        let cursor = try cursors.open(store)
        for index in 0..<entryCount {
            let value = withUnsafeBytes(of: UInt64(index) &* 0x9E37_79B9_7F4A_7C15) { Array($0) }
            _ = try cursors.append(cursor, key: key(index).span.bytes, value: value.span.bytes)
        }
    }
}

private func randomKeys(count: Int) -> [UInt8] {
    var state: UInt64 = 42
    var keys: [UInt8] = []
    keys.reserveCapacity(count * keyLength)
    for _ in 0..<count {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        keys += key(Int(state >> 33) % entryCount)
    }
    return keys
}

private func sum(_ bytes: RawSpan) -> UInt64 {
    var sum: UInt64 = 0
    for index in bytes.byteOffsets { sum &+= UInt64(bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)) }
    return sum
}

private func scan(_ cursors: inout CursorSet, _ store: Store) throws(LMDBError) -> UInt64 {
    let cursor = try cursors.open(store)
    var total: UInt64 = 0
    while try cursors.next(cursor) {
        total &+= UInt64(cursors.key(cursor).byteCount) &+ sum(cursors.value(cursor))
    }
    return total
}

private func scanAll(_ store: Store) -> (borrowing ReadTransaction) throws(LMDBError) -> UInt64 {
    { transaction throws(LMDBError) in
        var cursors = transaction.makeCursors()
        return try scan(&cursors, store)
    }
}

private func getAll(_ store: Store, _ keys: [UInt8]) -> (borrowing ReadTransaction) throws(LMDBError) -> UInt64 {
    { transaction throws(LMDBError) in
        var total: UInt64 = 0
        let bytes = keys.span.bytes
        for start in stride(from: 0, to: bytes.byteCount, by: keyLength) {
            let key = bytes.extracting(start..<start + keyLength)
            if let value = try transaction.get(store, key) { total &+= sum(value) }
        }
        return total
    }
}

private func seek(_ cursors: inout CursorSet, _ store: Store, _ keys: RawSpan) throws(LMDBError) -> UInt64 {
    let cursor = try cursors.open(store)
    var total: UInt64 = 0
    for start in stride(from: 0, to: keys.byteCount, by: keyLength) {
        let key = keys.extracting(start..<start + keyLength)
        if try cursors.seek(cursor, key) { total &+= sum(cursors.value(cursor)) }
    }
    return total
}

private func seekAll(_ store: Store, _ keys: [UInt8]) -> (borrowing ReadTransaction) throws(LMDBError) -> UInt64 {
    { transaction throws(LMDBError) in
        var cursors = transaction.makeCursors()
        return try seek(&cursors, store, keys.span.bytes)
    }
}

private func takeTen(_ cursors: inout CursorSet, _ store: Store, _ key: RawSpan) throws(LMDBError) -> UInt64 {
    let cursor = try cursors.open(store)
    var total: UInt64 = 0
    var taken = 0
    var isFound = try cursors.seek(cursor, key)
    while isFound, taken < 10 {
        total &+= sum(cursors.value(cursor))
        taken += 1
        isFound = try cursors.next(cursor)
    }
    return total
}

private func shortReads(_ environment: Environment, _ store: Store, _ keys: [UInt8]) throws(LMDBError) -> UInt64 {
    var total: UInt64 = 0
    for start in stride(from: 0, to: keys.count, by: keyLength) {
        total &+= try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            var cursors = transaction.makeCursors()
            return try takeTen(&cursors, store, keys.span.bytes.extracting(start..<start + keyLength))
        }
    }
    return total
}
