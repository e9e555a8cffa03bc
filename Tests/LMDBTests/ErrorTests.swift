// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import LMDB

@Suite struct ErrorTests {
    /// Compares with the header itself: a code that a later LMDB adds must get a text.
    @Test func everyCodeOfTheHeaderHasItsOwnText() throws {
        let header = try #require(readText("/usr/include/lmdb.h") ?? readText("/usr/local/include/lmdb.h"))
        var codes: [Int32] = []
        for line in header.split(separator: "\n") where line.hasPrefix("#define MDB_") {
            guard let open = line.firstIndex(of: "("), let close = line.firstIndex(of: ")"),
                let code = Int32(line[line.index(after: open)..<close]), code < -30000
            else { continue }
            codes.append(code)
        }
        #expect(codes.count >= 20)
        for code in codes {
            #expect(LMDBErrorCode.documented.contains(LMDBErrorCode(rawValue: code)), "code \(code)")
        }
    }

    @Test func everyTextSaysWhatWhereAndWhatToDo() {
        var texts = Set<String>()
        for code in LMDBErrorCode.documented {
            #expect(code.explanation.hasSuffix(".") && code.remedy.hasSuffix("."))
            texts.insert(code.explanation)
            for operation in LMDBError.Operation.allCases {
                let text = LMDBError(code: code, operation: operation, path: "/a/b").description
                #expect(text == "Could not \(operation.rawValue) \"/a/b\": \(code.explanation) \(code.remedy)")
            }
        }
        #expect(texts.count == LMDBErrorCode.documented.count)
    }

    @Test func anUnknownCodeKeepsItsNumberAndTheSystemsText() {
        let error = LMDBError(code: LMDBErrorCode(rawValue: ELOOP), operation: .open)
        #expect(error.description.contains(String(cString: strerror(ELOOP))))
        #expect(error.description.contains("\(ELOOP)"))
    }

    /// A failed page write aborts its commit. After a failed sync or header write, the state is unknown (decision 10).
    @Test func commitFailuresAreToldApart() {
        #expect(CommitFailure(0, isDiskFull: true) == nil)
        #expect(CommitFailure(ENOSPC, isDiskFull: true) == .diskFull)
        #expect(CommitFailure(ENOSPC, isDiskFull: false) == .poisoning)
        #expect(CommitFailure(EDQUOT, isDiskFull: false) == .diskFull)
        #expect(CommitFailure(EIO, isDiskFull: true) == .diskFull)
        #expect(CommitFailure(EIO, isDiskFull: false) == .poisoning)
        #expect(CommitFailure(EROFS, isDiskFull: false) == .poisoning)
        #expect(CommitFailure(ENOMEM, isDiskFull: false) == .transactionOnly)
    }

    /// Of every file that is written: there is nothing else that the user could do.
    @Test func aUsersShareOfTheDiskIsAsFullAsADisk() {
        #expect(LMDBError(EDQUOT, .useScratchFile).code == .diskFull)
        #expect(LMDBError(EIO, .useScratchFile).code == .inputOutput)
    }

    /// After a failure, LMDB refuses the rest of the transaction with a generic code.
    @Test func theFirstFailureIsTheOneThatIsTold() throws {
        let folder = try TemporaryDirectory()
        let writer = Writer(of: try Environment.openForTest(folder.database).identifier, nil)
        #expect(writer.failure(LMDBErrorCode.badTransaction.rawValue, .put).code == .badTransaction)
        let other = Writer(of: try Environment.openForTest(folder.database).identifier, nil)
        let first = other.failure(ENOMEM, .put)
        #expect(other.failure(LMDBErrorCode.badTransaction.rawValue, .delete) == first)
        #expect(other.failure(LMDBErrorCode.badTransaction.rawValue, .commit) == first)
    }

    /// LMDB's own message names a place in its source.
    @Test func aDamagedPageEndsTheProcessWithASentence() async throws {
        let folder = try TemporaryDirectory()
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            [path = folder.database as String] in
            func open() throws -> (Environment, Store) {
                let environment = try Environment.openForTest(path)
                return (environment, try environment.openStores(["s"], create: true)[0])
            }
            do {
                let (environment, store) = try open()
                for key in 0..<500 { try environment.put(store, bigEndian(key), bigEndian(key) + bigEndian(0)) }
            }
            // Gives each branch page a single entry, which LMDB never does.
            let file = Glibc.open(path, O_RDWR)
            var flags: UInt16 = 0
            var end: UInt16 = 18
            for page in 2..<1_000 where pread(file, &flags, 2, page * 4_096 + 10) == 2 && flags & 1 != 0 {
                pwrite(file, &end, 2, page * 4_096 + 12)
            }
            close(file)
            let (environment, store) = try open()
            try environment.put(store, bigEndian(7), [1])
        }
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains("A database file is damaged, and LMDB cannot read on. Run `hearth verify` on it.\n"))
        #expect(!text.contains("Assertion"), "\(text)")
    }

    private func readText(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
