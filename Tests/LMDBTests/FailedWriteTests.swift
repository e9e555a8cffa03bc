// SPDX-License-Identifier: Apache-2.0
import Glibc
import LMDB
import TestSupport
import Testing

/// Writes that fail, because a descriptor of the file was replaced by one that cannot write.
@Suite struct FailedWriteTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test(arguments: [false, true]) func afterAFailedWriteOnlyAReopenedFileIsWritten(header: Bool) throws {
        var environment: Environment? = try .open(folder.database, .init(mapSize: 1 << 20))
        let store = try environment!.openStores(["s"], create: true)[0]
        try environment!.put(store, [1], [1])
        // The first read of a state needs the descriptor, too.
        #expect(try environment!.get(store, [1]) == [1])
        try breakDescriptor(header: header)
        expectFailure(LMDBErrorCode(rawValue: EBADF)) { try environment!.put(store, [1], [2]) }
        expectFailure(.poisoned) { try environment!.put(store, [1], [3]) }
        expectFailure(.poisoned) { try Environment.open(folder.database) }
        if !header { #expect(try environment!.get(store, [1]) == [1]) }
        environment = nil
        let again = try Environment.open(folder.database)
        let reopened = try again.openStores(["s"], create: false)[0]
        #expect(try again.get(reopened, [1]) == [1])
        try again.put(reopened, [1], [4])
        #expect(try again.get(reopened, [1]) == [4])
    }

    /// LMDB writes pages through one descriptor and the header through another, which syncs by itself.
    private func breakDescriptor(header: Bool) throws {
        let descriptors = (3..<4_096).filter { descriptor in
            guard let target = realpath("/proc/self/fd/\(descriptor)", nil) else { return false }
            defer { free(target) }
            return String(cString: target) == folder.database
                && (fcntl(Int32(descriptor), F_GETFL) & O_DSYNC != 0) == header
        }
        let descriptor = try #require(descriptors.first)
        #expect(descriptors.count == 1)
        let unwritable = open("/dev/null", O_RDONLY)
        #expect(dup2(unwritable, Int32(descriptor)) == Int32(descriptor))
        close(unwritable)
    }
}
