// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// The tool with a pseudo-terminal of 80 columns on all sides.
final class TerminalSession {
    struct NoTerminal: Error {}

    static let required = ConditionTrait.enabled("this machine gives out no pseudo-terminals") {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        close(master)
        return master >= 0
    }

    let process = Process()
    private let master: Int32
    /// What the program has written so far.
    private(set) var screen = ""
    private var bytes: [UInt8] = []

    /// A new terminal: its keyboard and screen, and the path of what programs open.
    static func openMaster() throws -> (master: Int32, path: String) {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
        var (isLocked, number): (Int32, Int32) = (0, 0)
        guard ioctl(master, 0x4004_5431, &isLocked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
            close(master)
            throw NoTerminal()
        }
        return (master, "/dev/pts/\(number)")
    }

    init(_ bench: Workbench, _ arguments: [String]) throws {
        let (master, path) = try TerminalSession.openMaster()
        self.master = master
        let slave = FileHandle(fileDescriptor: open(path, O_RDWR | O_NOCTTY), closeOnDealloc: true)
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        process.executableURL = try Locations.program("hearth")
        process.arguments = arguments
        process.currentDirectoryURL = bench.folder.url
        process.environment = ["TERM": "xterm", "XDG_STATE_HOME": bench.path("state"), "NO_COLOR": "1"]
        (process.standardInput, process.standardOutput, process.standardError) = (slave, slave, slave)
        try process.start()
    }

    deinit { close(master) }

    /// Whether keys are read one by one and not shown.
    var isRaw: Bool {
        var mode = termios()
        tcgetattr(master, &mode)
        return mode.c_lflag & tcflag_t(ICANON) == 0 && mode.c_lflag & tcflag_t(ECHO) == 0
    }

    /// Presses keys once the prompt is there, and waits until the program writes a text after that.
    func press(_ keys: String, until text: String) async throws {
        try await wait(for: "the prompt") { isRaw }
        screen = ""
        bytes = []
        for byte in Array(keys.utf8) { _ = withUnsafeBytes(of: byte) { write(master, $0.baseAddress, 1) } }
        try await wait(for: "\(text) after \(keys); the screen: \(screen)") {
            read()
            return text.isEmpty || screen.contains(text)
        }
    }

    func end(_ keys: String) async throws -> Int32 {
        try await press(keys, until: "")
        try await wait(for: "the end") {
            read()
            return !process.isRunning
        }
        return process.terminationStatus
    }

    private func read() {
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Glibc.read(master, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        screen = String(decoding: bytes, as: UTF8.self)
    }
}
