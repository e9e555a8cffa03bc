// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct NumberTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", nil), ("1e2", nil), ("1E2", nil),
            ("123456789012345678901234567890", nil),
        ] as [(String, Int64?)])
    func integers(_ text: String, _ expected: Int64?) {
        #expect(JSONNumber(text: text).int64 == expected)
    }

    /// Halfway cases around 2^53 and the limits of the type; the expected values are written as bits.
    @Test(
        arguments: [
            ("9007199254740993", 0x4340_0000_0000_0000),
            ("9007199254740992.9999999999999999999", 0x4340_0000_0000_0000),
            ("9007199254740993.0000000000000000001", 0x4340_0000_0000_0001), ("0.1", 0x3FB9_9999_9999_999A),
            ("1.7976931348623157e308", 0x7FEF_FFFF_FFFF_FFFF), ("5e-324", 1), ("2e-324", 0),
            ("-0", 0x8000_0000_0000_0000),
            ("1e999", 0x7FF0_0000_0000_0000), ("-1e999", 0xFFF0_0000_0000_0000),
            ("2.2250738585072011e-308", 0x000F_FFFF_FFFF_FFFF),
        ] as [(String, UInt64)])
    func doubles(_ text: String, _ bits: UInt64) {
        #expect(JSONNumber(text: text).double.bitPattern == bits)
    }

    /// Compares with `strtod`, through Foundation.
    @Test func doublesAgreeWithStrtod() {
        var fuzz = JSONFuzz(seed: 11)
        for _ in 0..<Rounds.of(20_000) {
            let text = fuzz.numberText()
            #expect(JSONNumber(text: text).double.bitPattern == strtod(text, nil).bitPattern, "\(text)")
        }
    }
}
