// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import TestSupport
    import Testing

    @Suite struct ExecCommandTests {
        let bench: Workbench

        init() throws {
            bench = try Workbench()
        }

        private func exec(_ options: [String] = [], _ command: [String]) throws -> Run {
            try bench.hearth(arguments: ["exec"] + options + ["--"] + command)
        }

        @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137)] as [(String, Int32)])
        func codeOfTheCommand(_ script: String, _ code: Int32) throws {
            #expect(try exec([], ["sh", "-c", script]).code == code)
            #expect(try exec(["--check"], ["sh", "-c", script]).code == code)
        }

        @Test func environment() throws {
            let script = "echo $FIRESTORE_EMULATOR_HOST $GCLOUD_PROJECT; cat"
            let run = try bench.hearth(
                arguments: ["exec", "--project", "demo-x", "--", "sh", "-c", script], input: "in")
            #expect(run.output.wholeMatch(of: /localhost:[0-9]+ demo-x\nin/) != nil, "\(run)")
            #expect(try exec([], ["sh", "-c", "echo $GCLOUD_PROJECT"]).output == "demo-hearth\n")
        }

        @Test func noCommand() throws {
            #expect(try bench.hearth("exec").code == 64)
            let run = try exec([], ["no-such-command"])
            #expect(run.code == 127)
            #expect(run.errors.contains("no-such-command"))
        }

        /// The command's own failure comes first, then that of the check.
        @Test func check() throws {
            try bench.write("body.json", ServeFixture.query)
            let post = ServeFixture.post("/v1/projects/p/databases/d/documents:runQuery")
            let run = try exec(["--check", "--write-indexes", "made.json"], post)
            #expect(run.code == 1)
            #expect(
                run.errors.contains("hearth: the queries to projects/p/databases/d need what the index file lacks:"))
            #expect(try bench.contents("answer").starts(with: Data("HTTP/1.1 400".utf8)))
            try bench.write("wanted.json", ServeFixture.file)
            #expect(try bench.hearth("diff", "made.json", "wanted.json").code == 0)
            #expect(try exec(["--check", "--indexes", "made.json"], post).code == 0)
            #expect(try bench.contents("answer").starts(with: Data("HTTP/1.1 200".utf8)))
            var failing = post
            failing[2] += "; exit 9"
            #expect(try exec(["--check"], failing).code == 9)
        }

        /// The command ends as it wants to, and what was asked for at the end is done.
        @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func signals(_ signal: Int32) async throws {
            try bench.write("body.json", ServeFixture.query)
            var script = ServeFixture.post("/v1/projects/p/databases/d/documents:runQuery")
            // It ends without a signal, too.
            script[2] += "; trap 'echo got; exit 5' TERM INT HUP; echo ready; for n in {1..500}; do sleep 0.02; done"
            let process = try bench.process(
                ["exec", "--mode", "record", "--write-indexes", "made.json", "--export-on-exit", "kept", "--"] + script)
            try await wait(for: "the command") { try bench.contents(".output") == Data("ready\n".utf8) }
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 5)
            #expect(String(decoding: try bench.contents(".output"), as: UTF8.self) == "ready\ngot\n")
            try bench.write("wanted.json", ServeFixture.file)
            #expect(try bench.hearth("diff", "made.json", "wanted.json").code == 0)
            #expect(FileManager.default.fileExists(atPath: bench.path("kept")))
        }

        /// The server's sockets would outlive it.
        @Test func descriptors() throws {
            try bench.write("mine", "")
            let links = "for n in 3 4 5 6 7 8 9; do readlink /proc/$$/fd/$n; done"
            #expect(try exec([], ["sh", "-c", "\(links); true"]).output == "")
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.currentDirectoryURL = bench.folder.url
            let output = Pipe()
            process.standardOutput = output
            process.arguments = [
                "-c", "exec 7< mine; \"$0\" exec -- sh -c '\(links); true' 2> .errors",
                try Locations.program("hearth").path,
            ]
            try process.start()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            #expect(text.hasSuffix("/mine\n") && text.split(separator: "\n").count == 1, "\(text)")
        }

        @Test func brokenIndexFile() throws {
            try bench.write("bad.json", "{")
            let run = try exec(["--indexes", "bad.json"], ["echo", "ran"])
            #expect(run.code == 2)
            #expect(run.output == "")
        }
    }
#endif
