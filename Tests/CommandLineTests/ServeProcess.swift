// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import FoundationNetworking
    import TestSupport

    /// A running `hearth serve`. It ends with the last reference.
    final class ServeProcess {
        private let bench: Workbench
        private let process = Process()
        private let output = Pipe()
        /// `localhost:41953`
        private(set) var address = ""
        /// What it printed before it ran.
        private(set) var announcement = ""

        struct Ended: Error {
            let run: Run
        }

        /// Returns when the server accepts connections.
        ///
        /// - Throws: ``Ended`` if it ends instead.
        convenience init(_ bench: Workbench, _ arguments: String...) throws {
            try self.init(bench, arguments: arguments)
        }

        /// As ``init(_:_:)``.
        ///
        /// - Parameters:
        ///   - fileLimit: how many files the system lets it have open; nil for the test's own number.
        ///   - environment: what it gets besides the test's own.
        init(
            _ bench: Workbench, arguments: [String], fileLimit: Int? = nil, environment: [String: String] = [:]
        ) throws {
            self.bench = bench
            try bench.clear(".served")
            process.executableURL = try Locations.program("hearth")
            process.arguments = ["serve"] + arguments
            if let fileLimit, let program = process.executableURL {
                process.executableURL = URL(filePath: "/bin/sh")
                let limited = ["-c", "ulimit -n \(fileLimit) && exec \"$0\" \"$@\"", program.path]
                process.arguments = limited + (process.arguments ?? [])
            }
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.currentDirectoryURL = bench.folder.url
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = try FileHandle(forWritingTo: bench.folder.url.appending(path: ".served"))
            try process.start()
            while !announcement.contains("running at http://") || !announcement.hasSuffix("\n") {
                let piece = output.fileHandleForReading.availableData
                guard !piece.isEmpty else { throw Ended(run: try end()) }
                announcement += String(decoding: piece, as: UTF8.self)
            }
            address = announcement.components(separatedBy: "running at http://")[1].trimmingCharacters(in: .newlines)
        }

        deinit {
            if process.isRunning {
                process.terminate()
                process.waitUntilExit()
            }
        }

        var processID: Int32 { process.processIdentifier }
        var port: String { String(address.split(separator: ":").last ?? "") }
        var errors: String { (try? String(decoding: bench.contents(".served"), as: UTF8.self)) ?? "" }

        /// Ends it by SIGTERM.
        func stop() throws -> Run {
            process.terminate()
            return try end()
        }

        private func end() throws -> Run {
            let rest = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return Run(
                output: announcement + String(decoding: rest, as: UTF8.self), errors: errors,
                code: process.terminationReason == .exit ? process.terminationStatus : nil)
        }

        func send(_ method: String, _ path: String, _ body: String = "") async throws -> (status: Int, text: String) {
            var request = URLRequest(url: URL(string: "http://\(address)\(path)")!)
            request.httpMethod = method
            if method != "GET" { request.httpBody = Data(body.utf8) }
            let (data, response) = try await URLSession.shared.data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
        }

        /// A query that needs an index of `a` ascending and `b` descending; the status of its answer.
        func query(database: String = "(default)") async throws -> Int {
            try await send("POST", "/v1/projects/p/databases/\(database)/documents:runQuery", ServeFixture.query).status
        }
    }

    /// Requests and files of the tests of `serve` and `exec`.
    enum ServeFixture {
        static let query =
            #"{"structuredQuery":{"from":[{"collectionId":"c"}],"where":{"fieldFilter":{"field":{"fieldPath":"#
            + #""a"},"op":"EQUAL","value":{"integerValue":"1"}}},"orderBy":[{"field":{"fieldPath":"b"},"direction":2}]}}"#

        static let file =
            #"{"indexes":[{"collectionGroup":"c","queryScope":"COLLECTION","fields":[{"fieldPath":"a","#
            + #""order":"ASCENDING"},{"fieldPath":"b","order":"DESCENDING"}]}],"fieldOverrides":[]}"#

        static let empty = #"{"indexes":[],"fieldOverrides":[]}"#

        /// A program of bash that posts the file `body.json` to a path of the server it is told.
        static func post(_ path: String) -> [String] {
            [
                "bash", "-c",
                #"exec 3<>"/dev/tcp/${FIRESTORE_EMULATOR_HOST/://}" && printf "POST $0 HTTP/1.1\r\nconnection: close\r\n"#
                    + #"content-length: $(wc -c < body.json)\r\n\r\n" >&3 && cat body.json >&3 && cat <&3 > answer"#,
                path,
            ]
        }
    }
#endif
