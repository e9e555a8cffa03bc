// SPDX-License-Identifier: Apache-2.0

extension Numbers {
    /// Formats a long time in its two greatest units: `45 s`, `3 min 20 s`, `2 h 5 min`.
    static func span(seconds: Double) -> String {
        let whole = Int(min(seconds.rounded(.up), 1e9))
        let (hours, minutes, rest) = (whole / 3_600, whole / 60 % 60, whole % 60)
        if hours > 0 { return "\(grouped(hours)) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(rest) s" : "\(rest) s"
    }
}
