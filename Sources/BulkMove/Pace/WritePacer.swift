// SPDX-License-Identifier: Apache-2.0

/// Says how many writes may go out now, so that no quarter of a second has more than its share of the ramp's rate.
///
/// Times are seconds since the first write, by whatever clock the caller has.
struct WritePacer {
    private let ramp: WriteRamp
    private var allowed: Double
    private var last = 0.0

    private static let burst = 0.25
    /// Seconds.
    private static let shortest = 0.001
    /// What rounding may take of a write.
    private static let slack = 0.001

    init(_ ramp: WriteRamp) {
        self.ramp = ramp
        allowed = 1
    }

    /// Takes up to `count` of what is allowed.
    mutating func take(_ count: Int, at now: Double) -> Int {
        refill(now)
        let taken = min(count, Int(allowed + WritePacer.slack))
        allowed -= Double(taken)
        return taken
    }

    /// When so many are allowed; at most as many as a burst has.
    mutating func delay(for count: Int, at now: Double) -> Double {
        refill(now)
        let missing = min(Double(count), capacity(now).rounded(.down)) - allowed
        // A delay that a clock cannot tell from none would never end.
        return missing <= WritePacer.slack ? 0 : max(WritePacer.shortest, missing / ramp.rate(after: now))
    }

    /// What a burst has, but never less than one write.
    private func capacity(_ now: Double) -> Double { max(1, ramp.rate(after: now) * WritePacer.burst) }

    private mutating func refill(_ now: Double) {
        guard now > last else { return }
        allowed = min(capacity(now), allowed + (now - last) * ramp.rate(after: now))
        last = now
    }
}
