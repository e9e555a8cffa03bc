// SPDX-License-Identifier: Apache-2.0

import BulkMove
import Testing

@Suite struct WriteRampTests {
    private let ramp = WriteRamp()

    /// The steps of nodejs-firestore's rate limiter: `floor(500 * 1.5^n)`, at most 10,000.
    @Test func steps() {
        let rates = (0..<10).map { Int(ramp.rate(after: Double($0) * 300)) }
        #expect(rates == [500, 750, 1_125, 1_687, 2_531, 3_796, 5_695, 8_542, 10_000, 10_000])
        #expect(ramp.rate(after: 299.9) == 500 && ramp.rate(after: 300) == 750)
    }

    /// Writes, and the minutes that the steps above give.
    @Test(arguments: [(100_000, 3.33), (1_000_000, 17.84), (10_000_000, 44.4), (100_000_000, 194.4)])
    func totals(_ writes: Int, _ minutes: Double) {
        #expect(abs(ramp.seconds(for: writes) / 60 - minutes) < 0.06, "\(ramp.seconds(for: writes) / 60)")
    }

    /// What remains takes as long as it would have taken in the whole.
    @Test func remaining() {
        let whole = ramp.seconds(for: 1_000_000)
        #expect(abs(ramp.seconds(for: 1_000_000 - 150_000 - 75_000, after: 400) - (whole - 400)) < 0.001)
        #expect(ramp.seconds(for: 0, after: 400) == 0)
    }

    @Test func chosenRate() {
        let fixed = WriteRamp(start: 20_000)
        #expect(fixed.rate(after: 0) == 20_000 && fixed.rate(after: 3_000) == 20_000)
        #expect(fixed.seconds(for: 100_000) == 5)
    }
}
