// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The steps of the GitHub Action, run by bash as GitHub does.
@Suite struct ActionTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
        // Prints its arguments, one a line.
        try bench.write("hearth", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bench.path("hearth"))
    }

    private func script(of step: String) throws -> String {
        let action = Locations.packageRoot.appending(path: "Action/action.yml")
        let text = try String(contentsOf: action, encoding: .utf8)
        let rest = try #require(text.components(separatedBy: "- name: \(step)\n").last)
        let lines = try #require(rest.components(separatedBy: "run: |\n").dropFirst().first).components(
            separatedBy: "\n")
        return lines.prefix { $0.hasPrefix("        ") }.joined(separator: "\n")
    }

    private func run(_ step: String, _ files: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["--noprofile", "--norc", "-eo", "pipefail", "-c", try script(of: step)]
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        process.environment = [
            "PATH": "\(bench.folder.url.path):\(path)", "FILES": files, "STRICT": "true", "QUERIES": "q.ndjson",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// `files: |` gives a line for each, and one more line break.
    @Test(arguments: ["a.json b/c.json\td.json", "a.json\nb/c.json d.json\n", "  a.json\n\n  b/c.json\nd.json"])
    func files(_ text: String) throws {
        #expect(
            try run("Validate", text) == [
                "validate", "--format", "github", "--strict", "--", "a.json", "b/c.json", "d.json",
            ])
        #expect(
            try run("Check queries", text) == [
                "check", "--indexes", "a.json", "--queries", "q.ndjson", "--format", "github",
            ])
    }
}
