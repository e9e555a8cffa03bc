// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The lines of this session and of earlier ones, which a file keeps.
struct LineHistory {
    private var lines: [String] = []
    /// The line that is shown; `lines.count` for the new one.
    private var place = 0
    /// The new line, while an earlier one is shown.
    private var draft = ""
    private let path: String?
    private static let maximum = 1_000

    /// - Parameter path: nil keeps nothing.
    init(_ path: String?) {
        self.path = path
        guard let path, System.isRegularFile(path), let bytes = try? InputFile.contents(path) else { return }
        let texts = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        lines = texts.suffix(LineHistory.maximum)
        place = lines.count
    }

    /// `hearth/history` in the folder for what programs remember.
    static var usualPath: String? {
        let state = System.environment("XDG_STATE_HOME").flatMap { $0.isEmpty ? nil : [$0] }
        guard let folders = state ?? System.environment("HOME").map({ ["\($0)/.local", "\($0)/.local/state"] }),
            let folder = folders.last
        else { return nil }
        for folder in folders + ["\(folder)/hearth"] { System.makePrivateFolder(folder) }
        return "\(folder)/hearth/history"
    }

    /// A line that begins with a space is kept nowhere, and one that is repeated once.
    mutating func add(_ line: String) {
        defer { place = lines.count }
        guard !line.isEmpty, !line.hasPrefix(" "), line != lines.last else { return }
        lines.append(line)
        guard let path else { return }
        if lines.count > LineHistory.maximum {
            lines.removeFirst(lines.count - LineHistory.maximum)
            try? OutputFile.replace(path, Array((lines.joined(separator: "\n") + "\n").utf8))
        } else {
            try? OutputFile.appendDurably(path, Array((line + "\n").utf8))
        }
    }

    mutating func earlier(than line: String) -> String? {
        guard place > 0 else { return nil }
        if place == lines.count { draft = line }
        place -= 1
        return lines[place]
    }

    mutating func later() -> String? {
        guard place < lines.count else { return nil }
        place += 1
        return place == lines.count ? draft : lines[place]
    }

    /// Shows the new line again.
    mutating func leave() { place = lines.count }
}
