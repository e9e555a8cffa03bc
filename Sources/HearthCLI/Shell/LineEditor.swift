// SPDX-License-Identifier: Apache-2.0

/// Reads lines from a terminal, with editing, history and completion.
struct LineEditor {
    private let prompt: String
    private var keys = KeyReader()
    private var history: LineHistory
    private let output = Output()

    init(prompt: String, history: LineHistory) {
        self.prompt = prompt
        self.history = history
    }

    /// The next line; nil at the end of input. The terminal is in raw mode only while the line is written.
    mutating func line(_ completions: (String) -> Completion) -> String? {
        guard enter() else { return nil }
        defer { System.leaveRawMode() }
        var line = EditedLine()
        draw(line)
        while true {
            let key = keys.next()
            switch key {
            case .enter:
                finish(line)
                history.add(line.text)
                return line.text
            case .endOfInput:
                if line.isEmpty {
                    finish(line)
                    return nil
                }
                line.apply(.eraseForward)
            case .interrupt:
                finish(line, "^C")
                history.leave()
                line = EditedLine()
            case .suspend:
                System.leaveRawMode()
                System.suspend()
                guard enter() else { return nil }
            case .clearScreen: send("[2J", "[H")
            case .earlier: if let other = history.earlier(than: line.text) { line = EditedLine(other) }
            case .later: if let other = history.later() { line = EditedLine(other) }
            case .complete: complete(&line, completions(line.beforeCursor))
            default: line.apply(key)
            }
            draw(line)
        }
    }

    /// Raw mode, in which the terminal marks what is pasted.
    private func enter() -> Bool {
        guard System.enterRawMode() else { return false }
        send("[?2004h")
        return true
    }

    private func complete(_ line: inout EditedLine, _ completion: Completion) {
        guard let common = completion.common else { return }
        if common.count > completion.length || completion.words.count == 1 {
            line.replaceBeforeCursor(last: completion.length, by: common)
        } else if completion.words.count > 1 {
            finish(line)
            output.line(completion.words.joined(separator: "  ").cut(to: Screen.width * 4))
            output.flush()
        }
    }

    // MARK: Drawing

    private func draw(_ line: EditedLine) {
        let (text, column) = line.window(max(10, Screen.width - prompt.displayWidth))
        send("[1G")
        output.text(prompt + text)
        send("[K", "[\(prompt.displayWidth + column + 1)G")
        output.flush()
    }

    /// Leaves the line as it is on the screen, and goes to the next.
    private func finish(_ line: EditedLine, _ mark: String = "") {
        var line = line
        line.apply(.end)
        draw(line)
        output.line(mark)
        output.flush()
    }

    private func send(_ orders: String...) {
        for order in orders { output.text(ControlCharacters.order + order) }
    }
}
