// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// The official Firestore emulator on a free loopback port, used over its REST interface, one request at a time.
///
/// A shell waits for this process to close a pipe, and then stops the emulator by its process ID. So the emulator ends
/// with the last reference, and also if this process fails, crashes or is interrupted.
///
/// The benchmarks use this file through symbolic links, so it depends on Foundation and `LoopbackClient` only.
final class EmulatorProcess: Sendable {
    let port: Int
    private let process = Process()
    /// Open for as long as the emulator should run.
    private let lifeline = Pipe()
    private let client: LoopbackClient

    private static let supervisor = #"""
        JAVA="exec java -Xmx$2" "$0" start --host=127.0.0.1 --port="$1" < /dev/null & emulator=$!
        cat > /dev/null
        kill "$emulator"
        wait "$emulator"
        """#

    /// Nil if the emulator or Java is not installed.
    /// - Parameter memory: the greatest memory, in the form of Java's option `-Xmx`.
    init?(memory: String) throws {
        guard let script = try EmulatorProcess.startScript() else { return nil }
        let port = Int(try EmulatorProcess.freePort())
        self.port = port
        // The owner is not subject to security rules.
        client = LoopbackClient(
            port: port, headers: ["Authorization": "Bearer owner", "Content-Type": "application/json"])
        // No other process has the same, not one of another user with the same port either.
        let log = FileManager.default.temporaryDirectory.appending(path: "hearth-emulator-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: log) }
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", EmulatorProcess.supervisor, script, String(port), memory]
        process.standardInput = lifeline
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let deadline = Date(timeIntervalSinceNow: 600)
        while (try? send("GET", "")) == nil {
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

    /// The response, whatever its status.
    /// - Parameter authorization: who asks; nil for the owner.
    func send(
        _ method: String, _ path: String, _ body: Data? = nil, authorization: String? = nil
    ) throws -> (status: Int, body: Data) {
        try client.send(method, path, body, authorization: authorization)
    }

    /// The start script of the package google-cloud-cli-firestore-emulator, or nil if it or Java is missing.
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

    /// A port that was free a moment ago.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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
