// SPDX-License-Identifier: Apache-2.0
import Glibc
import LMDB
import TestSupport
import Testing

/// A full file system. Mounting one requires root; otherwise the tests say that they were skipped.
@Suite struct FullDiskTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func onSmallDisk(_ name: String = #function, _ body: (_ path: String) throws -> Void) throws {
        let disk = folder.path("disk")
        mkdir(disk, 0o700)
        defer { rmdir(disk) }
        guard mount("tmpfs", disk, "tmpfs", 0, "size=1m") == 0 else {
            print("\(name): skipped: a tmpfs cannot be mounted here")
            return
        }
        defer { umount2(disk, 2) }
        try body(disk + "/database")
    }

    /// LMDB maps its lock file and touches it. Without space, that is SIGBUS, as for a damaged file.
    @Test(arguments: ["absent", "empty", "sparse"]) func withoutRoomForTheLockFile(_ lockFile: String) throws {
        try onSmallDisk { path in
            do {
                let environment = try Environment.open(path)
                let store = try environment.openStores(["s"], create: true)[0]
                try environment.put(store, [1], [1])
            }
            unlink(path + "-lock")
            if lockFile != "absent" {
                let file = open(path + "-lock", O_RDWR | O_CREAT, 0o600)
                #expect(ftruncate(file, lockFile == "sparse" ? 64 * 2_050 : 0) == 0)
                close(file)
            }
            let filler = open(path + "-filler", O_RDWR | O_CREAT, 0o600)
            while write(filler, [UInt8](repeating: 1, count: 4_096), 4_096) == 4_096 {}
            close(filler)
            for readOnly in [false, true] {
                expectFailure(.diskFull) { try Environment.open(path, .init(readOnly: readOnly)) }
            }
            unlink(path + "-filler")
            let environment = try Environment.open(path)
            let store = try environment.openStores(["s"], create: false)[0]
            #expect(try environment.get(store, [1]) == [1])
            try environment.put(store, [1], [2])
        }
    }

    @Test(arguments: [false, true]) func noCopyIsLeftOnAFullDisk(compacting: Bool) throws {
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        try environment.put(store, [1], [UInt8](repeating: 1, count: 3 << 20))
        try onSmallDisk { path in
            expectFailure(.diskFull) { try environment.copy(to: path, compacting: compacting) }
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test func aFullDiskEndsOnlyItsCommit() throws {
        try onSmallDisk { path in
            let environment = try Environment.open(path)
            let store = try environment.openStores(["s"], create: true)[0]
            try environment.put(store, [1], [1])
            let large = [UInt8](repeating: 1, count: 2 << 20)
            expectFailure(.diskFull) { try environment.put(store, [2], large) }
            expectFailure(.diskFull) {
                for number in 0..<40 { try environment.copy(to: "\(path)\(number)", compacting: false) }
            }
            #expect(try environment.get(store, [1]) == [1])
            #expect(try environment.get(store, [2]) == nil)
            for number in 0..<40 { unlink("\(path)\(number)") }
            try environment.put(store, [2], [2])
            #expect(try environment.get(store, [2]) == [2])
        }
    }
}
