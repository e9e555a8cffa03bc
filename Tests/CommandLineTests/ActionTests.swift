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
        try bench.program("hearth", "printf '%s\\n' \"$@\"")
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
        try process.start()
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

    /// Nothing listens at port 1.
    @Test func failedDownloads() throws {
        try bench.program("swift", "echo built")
        let script = Locations.packageRoot.appending(path: "Action/install.sh").path
        let release = ["SERVER": "http://127.0.0.1:1", "REPOSITORY": "owner/hearth"]
        let wanted = try bench.bash([script], release.merging(["VERSION": "9.9.9"]) { $1 })
        #expect(wanted.code == 1 && wanted.output.isEmpty, "\(wanted)")
        #expect(wanted.errors.contains("curl: (7)") && wanted.errors.contains("version: source builds hearth"))
        // Without a wanted version the program of the action's own version is built.
        for version in ["", "source"] {
            let built = try bench.bash([script], release.merging(["VERSION": version]) { $1 })
            #expect(built.code == 0 && built.output == "built\n", "\(built)")
        }
    }

    /// The programs of each processor have their own file of sums, because each processor's are made on another machine. A program
    /// that no file lists is missing; only one with another sum is refused.
    @Test(arguments: [
        ("sha256sum *.tar.gz > SHA256SUMS-$(uname -m)", ""),
        ("sha256sum *.tar.gz > SHA256SUMS-other", "curl: (37)"),
        ("rm *.tar.gz; touch SHA256SUMS-$(uname -m)", "curl: (37)"),
        ("sha256sum /dev/null > SHA256SUMS-$(uname -m)", "does not list hearth-9.9.9-linux-"),
        ("sha256sum *.tar.gz | sed s/^[0-9a-f]*/$(printf 0%.0s {1..64})/ > SHA256SUMS-$(uname -m)", "has not the sum"),
    ])
    func downloads(_ sums: String, _ reason: String) throws {
        let pack = """
            set -e
            name=hearth-9.9.9-linux-$(uname -m) release=owner/hearth/releases/download/v9.9.9
            mkdir -p $name $release temp
            cp hearth $name
            tar -czf $release/$name.tar.gz $name
            cd $release
            \(sums)
            """
        #expect(try bench.bash(["-c", pack]).code == 0)
        let run = try bench.bash(
            [Locations.packageRoot.appending(path: "Action/install.sh").path],
            [
                "SERVER": "file://\(bench.path(""))", "REPOSITORY": "owner/hearth", "VERSION": "9.9.9",
                "RUNNER_TEMP": bench.path("temp"),
            ])
        #expect(run.code == (reason.isEmpty ? 0 : 1), "\(run)")
        #expect(run.output.contains("/hearth-9.9.9-linux-") == reason.isEmpty, "\(run)")
        #expect(run.errors.contains(reason) || reason.isEmpty, "\(run)")
        // Only the program that is used stays.
        let left = try FileManager.default.contentsOfDirectory(atPath: bench.path("temp"))
        #expect(left.isEmpty == !reason.isEmpty, "\(left)")
    }

    /// A program that is on the PATH already is used if it is the wanted one.
    @Test(arguments: [("", false), ("0.1.0", false), ("0.2.0", true), ("source", true)])
    func programOnThePath(_ version: String, _ isInstalled: Bool) throws {
        try bench.program("hearth", "echo 0.1.0")
        let action = bench.folder.url.appending(path: "Action")
        try FileManager.default.createDirectory(at: action, withIntermediateDirectories: true)
        try bench.program("Action/install.sh", "echo installed")
        try bench.write("paths", "")
        let step = try script(of: "Find, download or build hearth")
        let run = try bench.bash(
            ["-eo", "pipefail", "-c", step], ["VERSION": version, "GITHUB_PATH": bench.path("paths")])
        #expect(run.code == 0, "\(run)")
        #expect(try bench.contents("paths") == Data((isInstalled ? "installed\n" : "").utf8))
    }

    /// Queries are checked with the index file that a `firebase.json` names.
    @Test func queriesOfAProject() throws {
        try bench.write(
            "firebase.json",
            """
            {"firestore": [{"database": "(default)", "rules": "a.rules", "indexes" : "a.json"},
              {"database": "other", "indexes": "b.json"}]}
            """)
        let arguments = try run("Check queries", bench.path("firebase.json"))
        #expect(
            arguments == ["check", "--indexes", bench.path("a.json"), "--queries", "q.ndjson", "--format", "github"])
        try bench.write("firebase.json", "{}")
        #expect(try run("Check queries", bench.path("firebase.json"))[2] == bench.path("firebase.json"))
    }
}
