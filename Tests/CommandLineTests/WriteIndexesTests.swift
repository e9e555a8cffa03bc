// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import TestSupport
    import Testing

    /// `--write-indexes` of `serve` and `exec`.
    @Suite struct WriteIndexesTests {
        let bench: Workbench

        init() throws {
            bench = try Workbench()
            try bench.write("body.json", ServeFixture.query)
        }

        /// The command asks a query that needs an index, then runs `script`.
        private func exec(
            _ options: String..., project: String = "p", database: String = "(default)", then script: String = "true"
        ) throws -> Run {
            var post = ServeFixture.post("/v1/projects/\(project)/databases/\(database)/documents:runQuery")
            post[2] += "; \(script)"
            return try bench.hearth(
                arguments: ["exec", "--mode", "record", "--write-indexes", "made.json"] + options + ["--"] + post)
        }

        private static let edited = """
            {
              // By age.
              "indexes": [
                { "collectionGroup": "users", "queryScope": "COLLECTION", "fields": [
                  {"fieldPath": "city", "order": "ASCENDING"}, {"fieldPath": "age", "order": "DESCENDING"} ] } ],
              "fieldOverrides": [ {"collectionGroup": "users", "fieldPath": "bio", "indexes": []} ] // long texts
            }
            """

        @Test func fileThatExistsIsEdited() throws {
            try bench.write("made.json", WriteIndexesTests.edited)
            #expect(try exec().code == 0)
            let text = String(decoding: try bench.contents("made.json"), as: UTF8.self)
            for part in ["// By age.", "// long texts", #""city""#, #""bio""#, #"{"collectionGroup":"c""#] {
                #expect(text.contains(part), "\(text)")
            }
            #expect(try exec("--check", "--indexes", "made.json").code == 0)
            // Nothing is missing: not a byte changes.
            #expect(String(decoding: try bench.contents("made.json"), as: UTF8.self) == text)
        }

        @Test func otherDatabases() throws {
            let file = "\"made.json\" was not given what the queries to projects/p/databases/other need"
            var post = ServeFixture.post("/v1/projects/p/databases/(default)/documents:runQuery")
            post[2] += "; \(post[2].replacing("$0", with: "/v1/projects/p/databases/other/documents:runQuery"))"
            let run = try bench.hearth(
                arguments: ["exec", "--mode", "record", "--write-indexes", "made.json", "--"] + post)
            #expect(run.code == 0 && run.errors.contains(file), "\(run.errors)")
            #expect(run.errors.contains(#""collectionGroup": "c""#))
            // The database that alone was asked has the file.
            #expect(!(try exec(database: "other").errors.contains("was not given")))
        }

        /// Tests often have a project each; the file is that of the database in all of them.
        @Test func projectsShareTheFile() throws {
            var post = ServeFixture.post("/v1/projects/p/databases/(default)/documents:runQuery")
            let second = post[2].replacing("$0", with: "/v1/projects/q/databases/(default)/documents:runQuery")
            try bench.write("second.json", ServeFixture.query.replacing("\"b\"", with: "\"d\""))
            post[2] += "; \(second.replacing("body.json", with: "second.json"))"
            let run = try bench.hearth(
                arguments: ["exec", "--mode", "record", "--write-indexes", "made.json", "--"] + post)
            #expect(run.code == 0 && !run.errors.contains("was not given"), "\(run.errors)")
            let text = String(decoding: try bench.contents("made.json"), as: UTF8.self)
            #expect(text.contains(#""fieldPath": "b""#) && text.contains(#""fieldPath": "d""#), "\(text)")
        }

        /// The export fails, as the command puts a file of its own there.
        @Test func exportThatFails() throws {
            try bench.write("given.json", ServeFixture.empty)
            let run = try exec(
                "--check", "--indexes", "given.json", "--export-on-exit", "kept", then: "touch kept/mine")
            #expect(run.code == 2 && run.errors.contains("hearth: the export failed: "), "\(run.errors)")
            #expect(run.errors.contains("need what the index file lacks"), "\(run.errors)")
            try bench.write("wanted.json", ServeFixture.file)
            #expect(try bench.hearth("diff", "made.json", "wanted.json").code == 0)
            let failing = try exec("--export-on-exit", "kept2", then: "touch kept2/mine; exit 9")
            #expect(failing.code == 9 && failing.errors.contains("hearth: the export failed: "), "\(failing.errors)")
        }

        @Test(arguments: ["none/made.json", ".", "broken.json"]) func fileThatCannotBeWritten(_ file: String) throws {
            try bench.write("broken.json", "{")
            let run = try bench.hearth("exec", "--write-indexes", file, "--", "echo", "ran")
            #expect(run.code == 2 && run.output == "" && run.errors.contains("\"\(file)\""), "\(run)")
        }
    }
#endif
