// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import TestSupport
import Testing

/// `plan-move`, and `push` and `pull` by files.
@Suite struct MoveCommandTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    /// Every type of value, names of all kinds, and references within and out of the database.
    func makeDatabase() throws {
        try bench.write(
            "all.ndjson",
            #"""
            {"name":"c/a","fields":{"n":{"nullValue":null},"b":{"booleanValue":true},"i":{"integerValue":"-7"},"d":{"doubleValue":1.5},"nan":{"doubleValue":"NaN"},"t":{"timestampValue":"2026-01-02T03:04:05.678901Z"},"s":{"stringValue":"ä\u0000\n"},"y":{"bytesValue":"AAEC"},"g":{"geoPointValue":{"latitude":1,"longitude":-2}},"l":{"arrayValue":{"values":[{"integerValue":"1"},{"mapValue":{"fields":{"x":{"stringValue":"y"}}}}]}},"e":{"arrayValue":{}},"m":{"mapValue":{"fields":{"k":{"referenceValue":"c/b"}}}}}}
            {"name":"c/a/sub/__id7__","fields":{}}
            {"name":"c/b","fields":{"own":{"referenceValue":"c/a"},"foreign":{"referenceValue":"projects/x/databases/y/documents/c/a"}}}
            {"name":"missing/parent/below/é","fields":{"v":{"integerValue":"1"}}}
            """# + "\n")
        #expect(try bench.hearth("import", "a.db", "all.ndjson").code == 0)
    }

    @Test func exportAndBack() throws {
        try makeDatabase()
        let pushed = try bench.hearth("push", "a.db", "--project", "shop", "--to-export", "moved")
        #expect(pushed.code == 0, "\(pushed.errors)")
        #expect(pushed.output.hasPrefix("4 documents of projects/shop/databases/(default) exported to /"))
        let pulled = try bench.hearth("pull", "b.db", "--from-export", "moved")
        #expect(
            pulled.output == "4 documents of projects/shop/databases/(default) pulled into b.db\n", "\(pulled.errors)")
        let before = try bench.hearth("export", "a.db").output
        #expect(try bench.hearth("export", "b.db").output == before)
        #expect(before.contains(#""own":{"referenceValue":"c/a"}"#))
        #expect(try bench.hearth("verify", "b.db").code == 0)
        #expect(try bench.hearth("stats", "b.db").output.contains("shop"))
        // Into a database of another project, the references lead to that project's documents.
        #expect(try bench.hearth("pull", "c.db", "--project", "third", "--from-export", "moved").code == 0)
        #expect(try bench.hearth("export", "c.db").output == before)
    }

    /// Whose database it would be, nobody could say.
    @Test func exportIntoAnotherDatabase() throws {
        try makeDatabase()
        #expect(try bench.hearth("push", "a.db", "--project", "shop", "--to-export", "moved").code == 0)
        for name in ["other", "(default)"] {
            let alone = try bench.hearth("pull", "b.db", "--from-export", "moved", "--database", name)
            #expect(alone.code == 64 && alone.errors.contains("give both, or neither"), "\(alone)")
        }
        #expect(!FileManager.default.fileExists(atPath: bench.path("b.db")))
        let both = try bench.hearth("pull", "b.db", "--from-export", "moved", "--project", "p", "--database", "other")
        #expect(both.output == "4 documents of projects/p/databases/other pulled into b.db\n", "\(both.errors)")
    }

    /// A copy that ended early, at the end of a document or before the first, is not the whole.
    @Test func cutExport() throws {
        try makeDatabase()
        #expect(try bench.hearth("push", "a.db", "--project", "shop", "--to-export", "moved").code == 0)
        let file = "moved/firestore_export/all_namespaces/all_kinds/output-0"
        let whole = try bench.contents(file)
        var ends = [0]
        while let end = ends.last, end < whole.count {
            ends.append(end + 7 + Int(whole[end + 4]) + Int(whole[end + 5]) << 8)
        }
        #expect(ends.count == 5)
        for end in ends.dropLast() {
            try Data(whole.prefix(end)).write(to: URL(filePath: bench.path(file)))
            let pulled = try bench.hearth("pull", "b.db", "--from-export", "moved")
            #expect(pulled.code == 2 && pulled.errors.contains("it lists 4 documents, and its files hold"), "\(pulled)")
            #expect(try bench.hearth("export", "b.db").lines.isEmpty)
        }
    }

    @Test func folders() throws {
        try makeDatabase()
        try FileManager.default.createDirectory(
            at: bench.folder.url.appending(path: "work"), withIntermediateDirectories: true)
        try bench.write("work/notes.txt", "mine")
        let kept = try bench.hearth("push", "a.db", "--project", "p", "--to-export", "work")
        #expect(kept.code == 2 && kept.errors.contains("holds other files than an export"), "\(kept.errors)")
        let none = try bench.hearth("pull", "b.db", "--from-export", "work")
        #expect(none.code == 2 && none.errors.contains("there is no export in"), "\(none.errors)")
        #expect(!FileManager.default.fileExists(atPath: bench.path("b.db")))
        let file = try bench.hearth("push", "a.db", "--project", "p", "--to-export", "a.db/below")
        #expect(
            file.code == 2 && file.errors.contains("\"a.db/below\" cannot be written: Not a directory\n"),
            "\(file.errors)")
        // A second export replaces the first.
        for _ in 0..<2 {
            #expect(try bench.hearth("push", "a.db", "--project", "p", "--to-export", "moved").code == 0)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path("moved")).count == 2)
    }

    @Test func usage() throws {
        try makeDatabase()
        for arguments in [["push", "a.db"], ["pull", "b.db"], ["push", "a.db", "--to-export", "x"]] {
            let run = try bench.hearth(arguments: arguments)
            #expect(run.code == 64 && run.errors.contains("--project"), "\(run.errors)")
        }
    }

    @Test func plan() throws {
        let lines = (0..<300).map { #"{"name":"orders/order-\#($0)","fields":{"n":{"integerValue":"1"}}}"# }
        try bench.write("orders.ndjson", lines.joined(separator: "\n"))
        #expect(try bench.hearth("import", "o.db", "orders.ndjson").code == 0)
        let before = try bench.contents("o.db")
        let text = try bench.hearth("plan-move", "o.db")
        #expect(text.code == 0, "\(text.errors)")
        #expect(text.output.contains("documents  300 in 1 collection group"))
        #expect(text.output.contains("reads      300 billed"))
        #expect(text.output.contains("time       1 s at best: 500 writes a second at first"))
        #expect(text.output.contains("orders: names follow each other, as their values look"))
        #expect(text.output.contains("Create and update times"))
        let json = try JSONSerialization.jsonObject(
            with: Data(try bench.hearth("plan-move", "o.db", "--format", "json").output.utf8))
        let object = try #require(json as? [String: Any])
        #expect(object["documents"] as? Int == 300 && object["writes"] as? Int == 300 && object["seconds"] as? Int == 1)
        #expect((object["hotRanges"] as? [[String: Any]])?.first?["kind"] as? String == "names")
        #expect(try bench.contents("o.db") == before)
    }
}

#if Server && Connected
    /// `push` and `pull` with a server.
    extension MoveCommandTests {
        @Test func serverAndBack() throws {
            try makeDatabase()
            let before = try bench.hearth("export", "a.db").output
            let server = try ServeProcess(bench, "--port", "0")
            let pushed = try bench.hearth("push", "a.db", "--project", "shop", "--emulator", server.address)
            #expect(pushed.code == 0, "\(pushed.errors)")
            let lines = pushed.output.split(separator: "\n")
            #expect(
                lines[2].hasPrefix(
                    "4 versions compared with the server: 0 fetched, 0 removed. First listens go on from 20"))
            #expect(
                pushed.output.replacing("\(lines[2])\n", with: "") == """
                    4 documents of projects/shop/databases/(default) written
                    "a.db" is its offline data now; "a.db.before-push" is the database as it was

                    """)
            // The same file, now the offline data of the server's database.
            #expect(try bench.hearth("export", "a.db").output == before)
            #expect(try bench.hearth("stats", "a.db").output.contains("format     6"))
            for file in ["a.db", "a.db.before-push"] { #expect(try bench.hearth("verify", file).code == 0) }
            #expect(try bench.hearth("export", "a.db.before-push").output == before)
            let pulled = try bench.hearth("pull", "b.db", "--project", "shop", "--emulator", server.address)
            #expect(
                pulled.output == """
                    4 documents of projects/shop/databases/(default) pulled into b.db
                    No indexes were brought: an emulator lists none

                    """)
            #expect(!FileManager.default.fileExists(atPath: bench.path("b.db.pull")))
            #expect(try bench.hearth("export", "b.db").output == before)
            // As after a push that was killed once the files were exchanged.
            let again = try bench.hearth("push", "a.db", "--project", "shop", "--emulator", server.address)
            #expect(again.code == 0 && again.output.contains("an earlier push is done"), "\(again.errors)")
            let other = try bench.hearth("push", "a.db", "--project", "other", "--emulator", server.address)
            #expect(other.code == 2 && other.errors.contains("before an earlier push"), "\(other.errors)")
        }

        /// Nobody listens at the port, and nobody is asked.
        @Test func pullIntoWhatCanBeNoDatabase() throws {
            try FileManager.default.createDirectory(atPath: bench.path("folder.db"), withIntermediateDirectories: true)
            try bench.write("text.db", "hello")
            try makeDatabase()
            for path in ["folder.db", "none/p.db", "text.db", "text.db/p.db", "a.db"] {
                let pulled = try bench.hearth("pull", path, "--project", "shop", "--emulator", "localhost:1")
                #expect(pulled.code == 2 && pulled.errors.contains(path), "\(pulled)")
                #expect(!pulled.errors.contains("Trying again"), "\(pulled.errors)")
            }
            #expect(!FileManager.default.fileExists(atPath: bench.path("none")))
        }

        /// What an interrupted pull has read is not read again, if the server still has the state.
        @Test func interruptedPullGoesOn() throws {
            try makeDatabase()
            let before = try bench.hearth("export", "a.db").output
            let server = try ServeProcess(bench, "--port", "0")
            #expect(try bench.hearth("push", "a.db", "--project", "shop", "--emulator", server.address).code == 0)
            let document = #"{"name":"c/a","fields":{"spooled":{"booleanValue":true}}}"#
            func interrupted(at time: String) throws -> (code: Int32?, errors: String, export: String) {
                try bench.write(
                    "b.db.pull",
                    #"{"database":"projects/shop/databases/(default)","server":"the emulator at \#(server.address)","#
                        + #""readTime":"\#(time)"}"#
                        + "\n\(document)\n" + #"{"name":"c/b","fie"#)
                let pulled = try bench.hearth("pull", "b.db", "--project", "shop", "--emulator", server.address)
                return (pulled.code, pulled.errors, try bench.hearth("export", "b.db").output)
            }
            let now = try #require(Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)))
            let goesOn = try interrupted(at: now.description)
            #expect(goesOn.code == 0 && goesOn.errors.contains("goes on"), "\(goesOn.errors)")
            let rest = before.split(separator: "\n").dropFirst()
            #expect(goesOn.export == ([document] + rest.map(String.init)).joined(separator: "\n") + "\n")
            let anew = try interrupted(at: "2020-01-01T00:00:00Z")
            #expect(anew.code == 0 && anew.errors.contains("begins anew"), "\(anew.errors)")
            #expect(anew.export == before)
            #expect(!FileManager.default.fileExists(atPath: bench.path("b.db.pull")))

            for (database, place) in [
                ("projects/x/databases/y", "the emulator at \(server.address)"),
                ("projects/shop/databases/(default)", "Cloud Firestore"),
            ] {
                try bench.write(
                    "b.db.pull",
                    #"{"database":"\#(database)","server":"\#(place)","readTime":"2020-01-01T00:00:00Z"}"#
                        + "\n\(document)\n")
                let other = try bench.hearth("pull", "b.db", "--project", "shop", "--emulator", server.address)
                #expect(
                    other.code == 2 && other.errors.contains("interrupted pull of \(database) from \(place)"),
                    "\(other.errors)")
            }
        }

        /// What one server has got is nothing that another has.
        @Test func anotherServer() throws {
            try makeDatabase()
            let servers = try [ServeProcess(bench, "--port", "0"), ServeProcess(bench, "--port", "0")]
            func push(to server: Int) throws -> Run {
                try bench.hearth("push", "a.db", "--project", "shop", "--emulator", servers[server].address)
            }
            func pulled(from server: Int) throws -> Int {
                let run = try bench.hearth(
                    "pull", "all\(server).db", "--project", "shop", "--emulator", servers[server].address)
                #expect(run.code == 0, "\(run.errors)")
                return try bench.hearth("export", "all\(server).db").lines.count
            }
            do {
                let engine = try Engine.open(bench.path("a.db"))
                #expect(try push(to: 0).errors.contains("is open in another program"))
                withExtendedLifetime(engine) {}
            }
            let unfinished = try push(to: 1)
            #expect(unfinished.code == 2 && unfinished.errors.contains("Remove it to push all"), "\(unfinished)")
            #expect(try pulled(from: 1) == 0)
            for file in ["a.db.push", "a.db.push-lock"] {
                try? FileManager.default.removeItem(atPath: bench.path(file))
            }
            #expect(try push(to: 1).output.hasPrefix("4 documents of "))
            #expect(try pulled(from: 1) == 4)
            let done = try push(to: 0)
            #expect(done.code == 2 && done.errors.contains("put \"a.db.before-push\" in its place"), "\(done)")
            #expect(try push(to: 1).output.contains("an earlier push is done"))
        }

        @Test func pushWithoutComparison() throws {
            try makeDatabase()
            let server = try ServeProcess(bench, "--port", "0")
            let pushed = try bench.hearth(
                "push", "a.db", "--project", "shop", "--emulator", server.address, "--no-compare")
            #expect(pushed.output.contains("\nNot compared with the server. The first listen of each query downloads"))
        }

        /// A push that could not take the database's place is made again, and leaves alone what others have at the server.
        @Test func pushBesideAnotherProgram() async throws {
            try makeDatabase()
            let server = try ServeProcess(bench, "--port", "0")
            let theirs = "/v1/projects/shop/databases/(default)/documents/others/x"
            #expect(try await server.send("PATCH", theirs, #"{"fields":{"n":{"integerValue":"1"}}}"#).status == 200)
            // Through a link in another folder.
            let (manager, link) = (FileManager.default, bench.path("links/a.db"))
            try manager.createDirectory(atPath: bench.path("links"), withIntermediateDirectories: false)
            try manager.createSymbolicLink(atPath: link, withDestinationPath: bench.path("a.db"))
            let push = ["push", link, "--project", "shop", "--emulator", server.address]
            do {
                let engine = try Engine.open(bench.path("a.db"))
                let refused = try bench.hearth(arguments: push)
                #expect(refused.code == 2 && refused.errors.contains("is open in another program"), "\(refused.errors)")
                _ = try engine.commit([.set("c/late", .empty)])
            }
            let pushed = try bench.hearth(arguments: push)
            #expect(pushed.code == 0 && pushed.output.hasPrefix("5 documents of "), "\(pushed.errors)")
            #expect(pushed.output.contains("\n6 versions compared with the server: 1 fetched, 0 removed."))
            #expect(manager.fileExists(atPath: bench.path("a.db.before-push")))
            #expect(try manager.destinationOfSymbolicLink(atPath: link) == bench.path("a.db"))
            #expect(try await server.send("GET", theirs).status == 200)
            #expect(try bench.hearth("export", "a.db").lines.count == 6)
        }

        /// There is nothing to send, but a server that is not there is no success.
        @Test func emptyDatabaseWithoutServer() throws {
            try bench.write("none.ndjson", "")
            #expect(try bench.hearth("import", "a.db", "none.ndjson").code == 0)
            let before = try bench.contents("a.db")
            let run = try bench.hearth("push", "a.db", "--project", "shop", "--emulator", "localhost:1")
            #expect(run.code == 2 && run.errors.contains("UNAVAILABLE"), "\(run)")
            #expect(try bench.contents("a.db") == before)
            let server = try ServeProcess(bench, "--port", "0")
            let pushed = try bench.hearth("push", "a.db", "--project", "shop", "--emulator", server.address)
            #expect(pushed.code == 0 && pushed.output.hasPrefix("0 documents of "), "\(pushed)")
        }

        @Test func missingKey() throws {
            try makeDatabase()
            let before = try bench.contents("a.db")
            let run = try bench.hearth("push", "a.db", "--project", "shop", "--credentials", "none.json")
            #expect(run.code == 2 && run.errors.contains("none.json"), "\(run.errors)")
            #expect(try bench.contents("a.db") == before)
        }
    }
#endif
