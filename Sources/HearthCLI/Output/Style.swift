// SPDX-License-Identifier: Apache-2.0

/// Colours for a terminal that can show them, unless `NO_COLOR` is set.
struct Style {
    let isColored: Bool

    static func of(_ descriptor: Int32) -> Style {
        let isRefused = System.environment("NO_COLOR").map { !$0.isEmpty } ?? false
        return Style(
            isColored: System.isTerminal(descriptor) && !isRefused && System.environment("TERM") != "dumb")
    }

    func bold(_ text: String) -> String { paint(text, "1") }
    func dim(_ text: String) -> String { paint(text, "2") }
    func red(_ text: String) -> String { paint(text, "1;31") }
    func yellow(_ text: String) -> String { paint(text, "1;33") }
    func green(_ text: String) -> String { paint(text, "32") }
    func cyan(_ text: String) -> String { paint(text, "36") }

    private func paint(_ text: String, _ code: String) -> String {
        isColored && !text.isEmpty ? "\(ControlCharacters.order)[\(code)m\(text)\(ControlCharacters.order)[0m" : text
    }
}

enum Numbers {
    /// Formats with thousands separators: `1,234,567`.
    static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result += "," }
            result.append(digit)
        }
        return number < 0 ? "-" + result : result
    }

    /// Formats a count: `1 document`, `2,000 documents`.
    static func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// Formats with decimal units, as for disks: `1.5 MB`.
    static func bytes(_ number: Int) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var value = Double(number)
        var unit = 0
        while value >= 999.95, unit < units.count - 1 {
            value /= 1_000
            unit += 1
        }
        return unit == 0 ? counted(number, "byte") : "\(decimal(value, digits: 1)) \(units[unit])"
    }

    /// Formats a duration: `0.042 ms`, `12.3 ms`, `4.56 s`.
    static func time(_ duration: Duration) -> String {
        let milliseconds = milliseconds(duration)
        if milliseconds < 10 { return "\(decimal(milliseconds, digits: 3)) ms" }
        if milliseconds < 1_000 { return "\(decimal(milliseconds, digits: 1)) ms" }
        return "\(decimal(milliseconds / 1_000, digits: 2)) s"
    }

    static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }

    static func decimal(_ value: Double, digits: Int) -> String {
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((value * Double(scale)).rounded())
        guard digits > 0 else { return String(scaled) }
        let fraction = String(scaled % scale)
        return "\(scaled / scale).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
    }
}
