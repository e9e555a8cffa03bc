// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A running official Firestore emulator, listening on a free loopback port.
///
/// A shell beside it waits for this process to close a pipe and then stops the emulator by its process ID: it goes when the
/// last reference does, and also when the tests fail, crash or are interrupted.
final class Emulator: Sendable {
    /// The one that all tests of this process share; nil where none is installed. Started by its first use.
    static let shared: Result<Emulator?, any Error> = Result { try startScript().map { try Emulator(script: $0) } }

    private let process: Process
    /// Open as long as the emulator shall run.
    private let lifeline: Pipe
    let port: UInt16

    private static let supervisor = #"""
        JAVA='exec java -Xmx768m' "$0" start --host=127.0.0.1 --port="$1" < /dev/null & emulator=$!
        cat > /dev/null
        kill "$emulator"
        wait "$emulator"
        """#

    private init(script: String) throws {
        port = try Emulator.freePort()
        process = Process()
        lifeline = Pipe()
        let log = FileManager.default.temporaryDirectory.appending(path: "hearth-emulator-\(port).log")
        defer { try? FileManager.default.removeItem(at: log) }
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", Emulator.supervisor, script, String(port)]
        process.standardInput = lifeline
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let client = EmulatorClient(port: port)
        let deadline = Date(timeIntervalSinceNow: 120)
        while !client.answers {
            guard process.isRunning, Date() < deadline else {
                throw EmulatorFailure("the emulator does not answer:\n\(try String(contentsOf: log, encoding: .utf8))")
            }
            Thread.sleep(forTimeInterval: 0.2)
        }
    }

    deinit {
        try? lifeline.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The start script of the package google-cloud-cli-firestore-emulator, or nil where it or Java is missing.
    private static func startScript() throws -> String? {
        let search = Process()
        let found = Pipe()
        search.executableURL = URL(filePath: "/bin/sh")
        search.arguments = [
            "-c",
            """
            command -v java > /dev/null || exit 0
            command -v cloud_firestore_emulator ||
                dpkg -L google-cloud-cli-firestore-emulator 2> /dev/null | grep '/cloud_firestore_emulator$'
            """,
        ]
        search.standardOutput = found
        try search.run()
        let path = String(decoding: try found.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        search.waitUntilExit()
        return path.split(separator: "\n").first.map(String.init)
    }

    /// A port that nobody listened on a moment ago.
    private static func freePort() throws -> UInt16 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard status == 0 else { throw EmulatorFailure("no loopback port is free") }
        return UInt16(bigEndian: address.sin_port)
    }
}

struct EmulatorFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
