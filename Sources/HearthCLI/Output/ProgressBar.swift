// SPDX-License-Identifier: Apache-2.0

/// Shows the progress of a long job on standard error, if that is a terminal.
final class ProgressBar {
    private let label: String
    private let isShown = System.isTerminal(System.standardError)
    private let style = Style.of(System.standardError)
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant?
    private static let interval = Duration.milliseconds(80)
    private static let width = 24

    init(_ label: String) {
        self.label = label
        start = clock.now
    }

    /// - Parameters:
    ///   - fraction: the finished part of the job; nil if it is unknown.
    ///   - note: further text.
    func show(documents: Int, fraction: Double?, note: String = "") {
        guard isShown else { return }
        let now = clock.now
        if let last, now - last < ProgressBar.interval { return }
        last = now
        let seconds = Numbers.milliseconds(now - start) / 1_000
        let rate = seconds > 0 ? Int(Double(documents) / seconds) : 0
        let text = "\(Numbers.counted(documents, "document")), \(Numbers.grouped(rate)) a second"
        ProgressBar.draw("\(label) \(bar(fraction))\(text)\(note)")
    }

    /// Removes the bar.
    func finish() {
        if isShown, last != nil { ProgressBar.draw("") }
    }

    /// Makes room for a line of text where a bar may be shown, until it is shown again.
    static func clearLine() {
        if System.isTerminal(System.standardError) { draw("") }
    }

    private func bar(_ fraction: Double?) -> String {
        guard let fraction else { return "" }
        let filled = Int(Double(ProgressBar.width) * min(1, max(0, fraction)))
        let empty = ProgressBar.width - filled
        let percent = String(Int(min(1, max(0, fraction)) * 100))
        return style.cyan(String(repeating: "█", count: filled)) + style.dim(String(repeating: "░", count: empty))
            + " \(String(repeating: " ", count: 3 - percent.count))\(percent) %  "
    }

    private static func draw(_ text: String) {
        let order = ControlCharacters.order
        Diagnostics.text("\(order)[G\(order)[K\(text)")
    }
}
