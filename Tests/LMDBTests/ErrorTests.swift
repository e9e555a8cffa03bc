// SPDX-License-Identifier: Apache-2.0
import Glibc
import LMDB
import Testing

@Suite struct ErrorTests {
    /// Against the header itself: a code that a later LMDB adds must get a text.
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

    /// A failed page write ends its commit; after a failed sync or header write nothing is known (decision 10).
    @Test func commitFailuresAreToldApart() {
        #expect(CommitFailure(0, isDiskFull: true) == nil)
        #expect(CommitFailure(ENOSPC, isDiskFull: true) == .diskFull)
        #expect(CommitFailure(ENOSPC, isDiskFull: false) == .poisoning)
        #expect(CommitFailure(EIO, isDiskFull: true) == .diskFull)
        #expect(CommitFailure(EIO, isDiskFull: false) == .poisoning)
        #expect(CommitFailure(EROFS, isDiskFull: false) == .poisoning)
        #expect(CommitFailure(ENOMEM, isDiskFull: false) == .transactionOnly)
    }

    private func readText(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
