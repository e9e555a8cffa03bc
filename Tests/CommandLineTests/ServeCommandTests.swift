// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import FoundationNetworking
    import TestSupport
    import Testing

    @Suite struct ServeCommandTests {
        let bench: Workbench

        init() throws {
            bench = try Workbench()
        }

        /// Others wait for the word `running`, or for `GET /`.
        @Test func startAndEnd() async throws {
            let server = try ServeProcess(bench, "--port", "0")
            #expect(server.announcement.contains("export FIRESTORE_EMULATOR_HOST=\(server.address)\n"))
            #expect(server.announcement.hasSuffix("Hearth is now running at http://\(server.address)\n"))
            let first = "Indexes: automatic ones only; no firebase.json or firestore.indexes.json is here\n"
            #expect(server.announcement.hasPrefix(first))
            #expect(try await server.send("GET", "/").text == "Ok\n")
            #expect(try await server.query() == 400)
            let run = try server.stop()
            #expect(run.code == 0)
            #expect(run.errors == "")
        }

        /// A project for each test is how suites keep their tests apart. LMDB's tables of each take 2 MB.
        @Test func manyDatabasesTakeLittleMemory() async throws {
            // Otherwise it also counts how many threads happened to allocate, each from an arena of its own.
            let server = try ServeProcess(bench, arguments: ["--port", "0"], environment: ["MALLOC_ARENA_MAX": "2"])
            func anonymousKilobytes() throws -> Int {
                let status = try String(contentsOfFile: "/proc/\(server.processID)/status", encoding: .utf8)
                let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
                return try #require(Int(line.split(separator: " ").dropLast().last ?? ""))
            }
            func touch(_ numbers: Range<Int>) async throws {
                for number in numbers {
                    let path = "/v1/projects/p\(number)/databases/(default)/documents/c/x"
                    #expect(try await server.send("PATCH", path, "{}").status == 200)
                }
            }
            try await touch(0..<10)
            let before = try anonymousKilobytes()
            try await touch(10..<50)
            let each = try (anonymousKilobytes() - before) / 40
            #expect(each < 1_000, "\(each) KB a database")
        }

        @Test func portIsTaken() throws {
            let server = try ServeProcess(bench, "--port", "0")
            let run = try bench.hearth("serve", "--port", server.port)
            #expect(run.code == 2)
            #expect(run.errors.hasPrefix("hearth: could not listen at localhost:\(server.port): "), "\(run.errors)")
            #expect(run.errors.hasSuffix(": Address already in use; choose another --host or --port\n"))
            #expect(run.output == "")
        }

        @Test(arguments: [
            ["--port", "65536"], ["--port", "-1"], ["--clock", "noon"], ["--log", "all"],
            ["--data", "d", "--ephemeral"], ["--mode", "lenient"], ["extra"], ["--allow-origin", "foo"],
            ["--allow-origin", ""], ["--allow-origin", "*", "--allow-origin", "https://app.test/page"],
        ])
        func usageErrors(_ arguments: [String]) throws {
            #expect(try bench.hearth(arguments: ["serve"] + arguments).code == 64)
        }

        /// Not even root can write to /proc.
        @Test(arguments: ["/proc/hearth", "file/data"]) func folderThatCannotBeWritten(_ folder: String) throws {
            try bench.write("file", "")
            let run = try bench.hearth("serve", "--port", "0", "--data", folder)
            #expect(run.code == 2)
            #expect(run.errors.hasPrefix("hearth: the folder \"\(folder)\" cannot be created: "), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
        }

        @Test func folderInUse() async throws {
            let server = try ServeProcess(bench, "--port", "0", "--data", "data")
            let run = try bench.hearth("serve", "--port", "0", "--data", "data")
            #expect(run.code == 2)
            #expect(
                run.errors.contains("is used by another hearth serve, process \(server.processID); "), "\(run.errors)")
            #expect(try await server.send("PATCH", "/v1/projects/p/databases/d/documents/c/d", "{}").status == 200)
            #expect(try server.stop().code == 0)
            // Its lock ended with it, and its documents did not.
            let next = try ServeProcess(bench, "--port", "0", "--data", "data")
            #expect(try await next.send("GET", "/v1/projects/p/databases/d/documents/c/d").status == 200)
        }

        @Test func unknownHost() throws {
            let run = try bench.hearth("serve", "--port", "0", "--host", "host.invalid")
            #expect(run.code == 2)
            let reason = "hearth: could not listen at host.invalid:0: the host is unknown ("
            #expect(run.errors.hasPrefix(reason), "\(run.errors)")
            #expect(run.errors.hasSuffix("); choose another --host or --port\n"), "\(run.errors)")
        }

        /// As in URLs.
        @Test func bracketedHost() throws {
            let server = try ServeProcess(bench, "--port", "0", "--host", "[::1]")
            #expect(server.address.hasPrefix("[::1]:"))
        }

        /// Those that nobody is using make room.
        @Test func moreDatabasesThanFiles() async throws {
            let arguments = ["--port", "0", "--export-on-exit", "kept"]
            let server = try ServeProcess(bench, arguments: arguments, fileLimit: 256)
            func send(_ method: String, _ number: Int, _ body: String = "") async throws -> Int {
                let path = "/v1/projects/p\(number)/databases/(default)/documents/c/x"
                return try await server.send(method, path, body).status
            }
            for number in 0..<200 { #expect(try await send("PATCH", number, "{}") == 200) }
            for number in 0..<200 { #expect(try await send("GET", number) == 200) }
            let run = try server.stop()
            #expect(run.code == 0)
            let exported = run.errors.split(separator: "\n").count { $0.hasPrefix("hearth: 1 document of projects/p") }
            #expect(exported == 200, "\(run.errors)")
        }

        /// A refused project, and a client that comes afterwards, get an answer where the system allows few files.
        @Test func moreDatabasesInUseThanFiles() async throws {
            let server = try ServeProcess(bench, arguments: ["--port", "0"], fileLimit: 256)
            func touch(_ number: Int) async throws -> (status: Int, text: String) {
                let path = "/v1/projects/p\(number)/databases/(default)/documents:beginTransaction"
                return try await server.send("POST", path, "{}")
            }
            var served = 0
            while served < 200, try await touch(served).status == 200 { served += 1 }
            #expect((50..<85).contains(served), "\(served)")
            let refusal = try await touch(200)
            #expect(refusal.status == 429)
            let reason = "The server has \(served) databases in use, and opens no more"
            #expect(refusal.text.contains(reason), "\(refusal.text)")
            #expect(refusal.text.contains("ulimit -n"), "\(refusal.text)")
            #expect(try await touch(0).status == 200)
            let clients = (0..<20).map { _ in URLSession(configuration: .ephemeral) }
            for client in clients {
                let (data, _) = try await client.data(for: URLRequest(url: URL(string: "http://\(server.address)/")!))
                #expect(String(decoding: data, as: UTF8.self) == "Ok\n")
            }
        }

        @Test func brokenIndexFileAtStart() throws {
            try bench.write("firestore.indexes.json", "{")
            let run = try bench.hearth("serve", "--port", "0")
            #expect(run.code == 2)
            #expect(run.errors.contains("firestore.indexes.json"), "\(run.errors)")
            #expect(try bench.hearth("serve", "--port", "0", "--indexes", "none.json").code == 2)
        }

        /// The file is watched; one with errors leaves the last good one in force.
        @Test func indexFileChanges() async throws {
            try bench.write("firestore.indexes.json", ServeFixture.file)
            let server = try ServeProcess(bench, "--port", "0")
            #expect(server.announcement.hasPrefix("Indexes: firestore.indexes.json\n"))
            #expect(try await server.query() == 200)
            try bench.write("firestore.indexes.json", "{ broken")
            try await wait(for: "the message") { server.errors.contains("; the last good one remains in force\n") }
            #expect(try await server.query() == 200)
            try bench.write("firestore.indexes.json", ServeFixture.empty)
            try await wait(for: "the file") { server.errors.contains("hearth: the index file was read again\n") }
            #expect(try await server.query() == 400)
            #expect(try server.stop().code == 0)
        }

        /// At the end, the smallest file is written, and what the given one lacks is an error.
        @Test func checkAndWrite() async throws {
            try bench.write("given.json", ServeFixture.empty)
            let server = try ServeProcess(
                bench, "--port", "0", "--mode", "record", "--indexes", "given.json", "--check", "--write-indexes",
                "made.json")
            #expect(try await server.query() == 200)
            let run = try server.stop()
            #expect(run.code == 1)
            #expect(run.errors.hasPrefix("hearth: the queries to projects/p/databases/(default) need"), "\(run.errors)")
            #expect(run.errors.contains(#""collectionGroup": "c""#))
            try bench.write("wanted.json", ServeFixture.file)
            #expect(try bench.hearth("diff", "made.json", "wanted.json").code == 0)
            #expect(try bench.hearth("fmt", "made.json", "--check").code == 0)
            let satisfied = try ServeProcess(bench, "--port", "0", "--indexes", "made.json", "--check")
            #expect(try await satisfied.query() == 200)
            #expect(try satisfied.stop().code == 0)
        }

        @Test func severalDatabases() async throws {
            try bench.write(
                "firebase.json",
                #"{"firestore":[{"database":"(default)","indexes":"a.json"},{"database":"other","indexes":"b.json"}]}"#)
            try bench.write("a.json", ServeFixture.empty)
            try bench.write("b.json", ServeFixture.file)
            let server = try ServeProcess(bench, "--port", "0")
            #expect(server.announcement.hasPrefix("Indexes: a.json\nIndexes: b.json\n"), "\(server.announcement)")
            #expect(try await server.query() == 400)
            #expect(try await server.query(database: "other") == 200)
            #expect(try await server.query(database: "third") == 400)
        }

        /// An option is stronger.
        @Test func hostAndPortOfFirebaseFile() throws {
            let taken = try ServeProcess(bench, "--port", "0")
            try bench.write(
                "firebase.json", #"{"emulators":{"firestore":{"host":"127.0.0.1","port":\#(taken.port)}}}"#)
            let run = try bench.hearth("serve")
            #expect(run.errors.hasPrefix("hearth: could not listen at 127.0.0.1:\(taken.port): "), "\(run.errors)")
            #expect(try ServeProcess(bench, "--port", "0").address.hasPrefix("127.0.0.1:"))
        }

        @Test(arguments: [
            "{", #"{"emulators":{"firestore":{"port":65536}}}"#, #"{"firestore":{"indexes":"none.json"}}"#,
        ])
        func brokenFirebaseFile(_ text: String) throws {
            try bench.write("firebase.json", text)
            let run = try bench.hearth("serve")
            #expect(run.code == 2)
            #expect(run.errors.hasPrefix("hearth: "), "\(run.errors)")
        }

        /// Rules of another type were no rules, so that everything was allowed.
        @Test(arguments: [
            (#"{"firestore":{"rules":5}}"#, #""rules" must be a string, not a number"#),
            (#"{"firestore":{"rules":null}}"#, #""rules" must be a string, not null"#),
            (#"{"firestore":[{"rules":["a.rules"]}]}"#, #""rules" must be a string, not an array"#),
            (#"{"firestore":{"indexes":{}}}"#, #""indexes" must be a string, not an object"#),
            (#"{"firestore":{"database":1}}"#, #""database" must be a string, not a number"#),
            (#"{"firestore":"x"}"#, #""firestore" must be an object or an array of objects, not a string"#),
            (#"{"firestore":["x"]}"#, #"a database must be an object, not a string"#),
            (
                #"{"firestore":[{"rules":"a"},{"database":"(default)","rules":"b"}]}"#,
                #""(default)" is already there: merge the two"#
            ),
            (
                #"{"firestore":[{"target":"t","rules":"a"},{"database":"other","rules":"b"}]}"#,
                #"a database has a "target" only, so that its rules and indexes cannot be told from those of "#
                    + #"the others: add "database", its ID"#
            ),
            ("[]", "a firebase.json must be an object, not an array"),
            (#"{"emulators":{"firestore":8080}}"#, #""emulators.firestore" must be an object, not 8080"#),
            (
                #"{"emulators":{"firestore":{"port":"eighty"}}}"#,
                #""port" of "emulators.firestore" must be a number from 0 to 65535, not "eighty""#
            ),
        ])
        func wrongTypesInFirebaseFile(_ text: String, _ reason: String) throws {
            try bench.write("firebase.json", "\n" + text)
            let run = try bench.hearth("exec", "--", "true")
            #expect(run.code == 2)
            #expect(run.errors == "hearth: \"firebase.json\":2: \(reason)\n")
        }

        @Test func firebaseFileWithoutIndexFile() throws {
            let taken = try ServeProcess(bench, "--port", "0", "--host", "127.0.0.1")
            // The Firebase CLI takes a port in quotation marks.
            try bench.write(
                "firebase.json",
                #"{"firestore":{},"emulators":{"firestore":{"host":"127.0.0.1","port":"\#(taken.port)"}}}"#)
            let run = try bench.hearth("serve")
            #expect(run.errors.hasPrefix("hearth: could not listen at 127.0.0.1:\(taken.port): "), "\(run.errors)")
            let reason = "firebase.json names no index file, and no firestore.indexes.json is here"
            let announced = "Indexes: automatic ones only; \(reason)\n"
            #expect(try ServeProcess(bench, "--port", "0").announcement.hasPrefix(announced))
        }

        @Test func otherMachines() throws {
            let server = try ServeProcess(bench, "--port", "0", "--host", "0.0.0.0")
            let warning = "Warning: everyone who reaches this address can read and write the data\n"
            #expect(server.announcement.contains(warning))
            #expect(!(try ServeProcess(bench, "--port", "0", "--host", "127.0.0.1").announcement.contains(warning)))
            #expect(!(try ServeProcess(bench, "--port", "0", "--host", "::1").announcement.contains(warning)))
        }
    }
#endif
