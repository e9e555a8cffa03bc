// SPDX-License-Identifier: Apache-2.0

/// How much history is kept.
package struct HistoryLimits: Sendable {
    /// How long a replaced version remains readable.
    package var window: Duration
    /// The most bytes that replaced versions may take. Beyond, the oldest are dropped before the window ends.
    package var byteLimit: Int

    /// An hour by default, as in production.
    package init(window: Duration = .seconds(3_600), byteLimit: Int = 4 << 30) {
        self.window = window
        self.byteLimit = byteLimit
    }

    /// The earliest time that is in the window at a present time, both in microseconds since 1970.
    func windowStart(at now: UInt64) -> UInt64 { now - min(now, windowInMicroseconds) }

    private var windowInMicroseconds: UInt64 {
        let (seconds, attoseconds) = window.components
        return UInt64(clamping: max(0, seconds)) * 1_000_000 + UInt64(clamping: attoseconds) / 1_000_000_000_000
    }
}
