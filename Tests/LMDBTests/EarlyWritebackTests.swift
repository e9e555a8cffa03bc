// SPDX-License-Identifier: Apache-2.0
import Foundation
import LMDB
import TestSupport
import Testing

@Suite struct EarlyWritebackTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Commits of more and of fewer changes than it takes.
    @Test func itChangesNoByte() throws {
        let early = try file(writingBackEarly: true)
        let late = try file(writingBackEarly: false)
        #expect(early.count > 1 << 20)
        #expect(early == late)
    }

    private func file(writingBackEarly: Bool) throws -> [UInt8] {
        let path = folder.path("\(writingBackEarly)")
        var options = Environment.Options(mapSize: 1 << 30)
        options.writesBackEarly = writingBackEarly
        options.placesPages = false
        do {
            let environment = try Environment.open(path, options)
            let store = try environment.openStores(["s"], create: true)[0]
            for round in 0..<40 {
                try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                    for number in 0..<(round.isMultiple(of: 3) ? 100 : 1_500) {
                        let key = utf8("\(number * 7_919 % 20_011) \(round % 9)")
                        let value = [UInt8](repeating: UInt8(round), count: number % 200)
                        try transaction.put(store, key.span.bytes, value.span.bytes)
                    }
                }
            }
        }
        return try [UInt8](Data(contentsOf: URL(filePath: path)))
    }
}
