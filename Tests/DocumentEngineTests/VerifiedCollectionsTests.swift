// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DocumentEngine

@Suite struct VerifiedCollectionsTests {
    /// More than are kept, and numbers far apart.
    @Test func onlyWhatWasInsertedIsContained() {
        var verified = VerifiedCollections()
        #expect(!contains(1, [1], verified))
        let numbers: [UInt64] = Array(1...40_000) + [1 << 40, 1 << 63, .max]
        for number in numbers {
            let path = path(of: number)
            verified.insert(number, path: path.span.bytes)
            #expect(contains(number, path, verified))
            #expect(pathLength(of: number, in: path + [0], verified) == path.count)
            #expect(pathLength(of: number, in: path.dropLast(), verified) == nil)
            #expect(pathLength(of: number, in: path.dropLast() + [0], verified) == nil)
        }
        let kept = numbers.count { contains($0, path(of: $0), verified) }
        #expect(kept > 10_000 && kept <= 16_384)
        #expect(!numbers.contains { contains($0 ^ 1, path(of: $0), verified) })
    }

    private func path(of number: UInt64) -> [UInt8] { Array("c/d/\(number)".utf8) }

    private func contains(_ number: UInt64, _ path: [UInt8], _ verified: VerifiedCollections) -> Bool {
        pathLength(of: number, in: path, verified) == path.count
    }

    private func pathLength(of number: UInt64, in name: [UInt8], _ verified: VerifiedCollections) -> Int? {
        verified.pathLength(of: number, in: name.span.bytes)
    }
}
