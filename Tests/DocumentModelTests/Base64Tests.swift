// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import TestSupport
import Testing

@Suite struct Base64Tests {
    /// The test vectors of RFC 4648, and bytes whose text has the two last letters of the alphabet.
    @Test(
        arguments: [
            ([], ""), (Array("f".utf8), "Zg=="), (Array("fo".utf8), "Zm8="), (Array("foo".utf8), "Zm9v"),
            (Array("foob".utf8), "Zm9vYg=="), (Array("fooba".utf8), "Zm9vYmE="), (Array("foobar".utf8), "Zm9vYmFy"),
            ([0xFB, 0xFF, 0xBF], "+/+/"), ([0], "AA=="), ([0xFF], "/w=="),
        ] as [([UInt8], String)])
    func encodesAndDecodes(_ bytes: [UInt8], _ text: String) {
        #expect(Base64.encode(bytes) == text)
        #expect(Base64.decode(text) == bytes)
        #expect(Base64.decode(text.replacing("=", with: "")) == bytes)
        #expect(Base64.decode(text.replacing("+", with: "-").replacing("/", with: "_")) == bytes)
    }

    @Test(arguments: [
        "!!!", "A", "AAAAA", "AA=", "AAA==", "AAAA=", "AAAA==", "=", "==", "A===", "AA===", "A=A=", "AA==AA==", "AA A",
        "AA\n==",
        "AA==\n", "é", "AA*=", "ＡＡ==", "AAA\0",
    ])
    func refuses(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func agreesWithFoundation() throws {
        try check(
            count: Rounds.of(2_000),
            generate: { random in (0..<random.int(0..<50)).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
        ) { (bytes: [UInt8]) in
            let text = Data(bytes).base64EncodedString()
            return Base64.encode(bytes) == text && Base64.decode(text) == bytes ? nil : text
        }
    }
}
