// SPDX-License-Identifier: Apache-2.0

/// How many writes a second a database may get as the time passes, so that the server can spread the load.
///
/// Cloud Firestore asks for at most 500 at the start and half as many more every five minutes. Its own bulk writers stop at
/// 10,000 (developers.google.com, "Ramping up traffic"; nodejs-firestore's rate-limiter.ts).
package struct WriteRamp: Sendable, Hashable {
    /// Writes a second.
    package let start: Double
    package let maximum: Double

    private static let factor = 1.5
    /// Seconds.
    private static let step = 300.0

    package init(start: Double = 500, maximum: Double = 10_000) {
        self.start = start
        self.maximum = max(start, maximum)
    }

    /// Writes a second.
    ///
    /// - Parameter seconds: since the first write.
    package func rate(after seconds: Double) -> Double { rate(inStep: Int(max(0, seconds) / WriteRamp.step)) }

    private func rate(inStep step: Int) -> Double {
        var rate = start
        for _ in 0..<step where rate < maximum { rate *= WriteRamp.factor }
        // Whole numbers, as the official bulk writers have them.
        return min(maximum, rate.rounded(.down))
    }

    /// How long so many writes take at the ramp's rate.
    ///
    /// - Parameter elapsed: seconds since the first write.
    package func seconds(for writes: Int, after elapsed: Double = 0) -> Double {
        var rest = Double(writes)
        var time = max(0, elapsed)
        while rest > 0 {
            let rate = rate(after: time)
            let end = ((time / WriteRamp.step).rounded(.down) + 1) * WriteRamp.step
            let possible = rate * (end - time)
            guard rate < maximum, possible < rest else { return time + rest / rate - max(0, elapsed) }
            rest -= possible
            time = end
        }
        return 0
    }
}
