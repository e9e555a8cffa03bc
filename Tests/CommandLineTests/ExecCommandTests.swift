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

        @Test func brokenIndexFile() throws {
            try bench.write("bad.json", "{")
            let run = try exec(["--indexes", "bad.json"], ["echo", "ran"])
            #expect(run.code == 2)
            #expect(run.output == "")
        }
    }
#endif
