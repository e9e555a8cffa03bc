// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The official Firestore emulator on a free loopback port, asked over its REST interface, one request at a time.
///
/// A shell beside it waits for this process to close a pipe and then stops the emulator by its process ID.
final class EmulatorProcess: @unchecked Sendable {  // Used by one thread.
    private static let supervisor = #"""
        JAVA='exec java -Xmx2g' "$0" start --host=127.0.0.1 --port="$1" < /dev/null > /dev/null 2>&1 & emulator=$!
        cat > /dev/null
        kill "$emulator"
        wait "$emulator"
        """#

    private let process = Process()
    private let lifeline = Pipe()
    private let session: URLSession
    private let root: String
    /// What names of documents begin with.
    static let documents = "projects/benchmarks/databases/(default)/documents"

    /// Nil where it, or Java, is not installed.
    init?() throws {
        guard let script = try EmulatorProcess.output(of: EmulatorProcess.search).split(separator: "\n").first else {
            return nil
        }
        let port = try EmulatorProcess.freePort()
        root = "http://127.0.0.1:\(port)/"
        let configuration = URLSessionConfiguration.ephemeral
        // The owner is bound by no security rules.
        configuration.httpAdditionalHeaders = ["Authorization": "Bearer owner", "Content-Type": "application/json"]
        session = URLSession(configuration: configuration)
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", EmulatorProcess.supervisor, String(script), String(port)]
        process.standardInput = lifeline
        try process.run()
        let deadline = Date(timeIntervalSinceNow: 120)
        while (try? send("", nil)) == nil {
            guard process.isRunning, Date() < deadline else { throw BenchmarkError("the emulator does not answer") }
            Thread.sleep(forTimeInterval: 0.2)
        }
    }

    deinit {
        session.invalidateAndCancel()
        try? lifeline.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// What it answers: a POST with a body, a GET without.
    func send(_ path: String, _ body: String?) throws -> Data {
        let address = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        guard let url = URL(string: root + address) else { throw BenchmarkError("\(path) is no path") }
        var request = URLRequest(url: url)
        request.httpMethod = body == nil ? "GET" : "POST"
        request.httpBody = body.map { Data($0.utf8) }
        let exchange = Exchange()
        session.dataTask(with: request) { data, response, error in
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            let text = String(decoding: data ?? Data(), as: UTF8.self)
            exchange.finish(
                status == 200
                    ? .success(data ?? Data())
                    : .failure(error ?? BenchmarkError("the emulator answers \(status): \(text)")))
        }.resume()
        return try exchange.result()
    }

    private static let search = """
        command -v java > /dev/null || exit 0
        command -v cloud_firestore_emulator ||
            dpkg -L google-cloud-cli-firestore-emulator 2> /dev/null | grep '/cloud_firestore_emulator$'
        """

    private static func output(of command: String) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    /// A port that nobody listened on a moment ago.
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
        guard status == 0 else { throw BenchmarkError("no loopback port is free") }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// A response that one thread waits for and another delivers.
private final class Exchange: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var delivered: Result<Data, any Error>?

    func finish(_ result: Result<Data, any Error>) {
        delivered = result
        done.signal()
    }

    func result() throws -> Data {
        done.wait()
        return try delivered!.get()
    }
}
