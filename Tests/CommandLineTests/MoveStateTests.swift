// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentEngine
    import DocumentModel
    import Foundation
    import ReplicaStore
    import SyncCore
    import TestSupport
    import Testing

    /// What `push` and `pull` leave beside the database when they are interrupted.
    extension MoveCommandTests {
        /// As a push leaves it that was interrupted once a server had acknowledged so many documents.
        private func leaveRecord(of project: String, beside database: String, acknowledging count: Int) throws {
            var options = Engine.Options()
            options.identity = DatabaseID(project: Text(project))
            let replica = try EngineReplica(bench.path("\(database).push"), options)
            try replica.transaction(.acknowledgeBatch) { (records) throws(ReplicaError) in
                for number in 0..<count {
                    let path = CollectionPath(ResourcePath(segments: ["c"])).document(Text("\(number)"))
                    let time = Timestamp(microseconds: 1)!
                    try records.storeUnused(SyncDocument(path, .found(.empty, createTime: time), version: time))
                }
            }
        }

        /// The server of a mistyped project acknowledges nothing.
        @Test func recordOfAnotherProject() throws {
            try makeDatabase()
            let server = try ServeProcess(bench, "--port", "0")
            let push = ["push", "a.db", "--project", "shop", "--emulator", server.address]
            try leaveRecord(of: "typo", beside: "a.db", acknowledging: 1)
            let record = try bench.contents("a.db.push")
            let refused = try bench.hearth(arguments: push)
            #expect(refused.code == 2, "\(refused)")
            #expect(
                refused.errors.contains(
                    "\"a.db.push\" says what an unfinished push has sent to projects/typo/databases/(default). To finish"
                ))
            #expect(refused.errors.contains("To give it up, remove the file"))
            #expect(try bench.contents("a.db.push") == record)

            for name in ["a.db.push", "a.db.push-lock"] {
                try? FileManager.default.removeItem(atPath: bench.path(name))
            }
            try leaveRecord(of: "typo", beside: "a.db", acknowledging: 0)
            let pushed = try bench.hearth(arguments: push)
            #expect(pushed.code == 0 && pushed.output.hasPrefix("4 documents of projects/shop/"), "\(pushed)")
        }

        /// Whether the pull is refused or reads nothing, the right one is free.
        @Test func pullOfAnotherProject() throws {
            try makeDatabase()
            let server = try ServeProcess(bench, "--port", "0")
            #expect(try bench.hearth("push", "a.db", "--project", "shop", "--emulator", server.address).code == 0)
            #expect(try bench.hearth("import", "b.db", "all.ndjson", "--project", "shop").code == 0)
            let spool = bench.path("b.db.pull")
            let refused = try bench.hearth("pull", "b.db", "--project", "typo", "--emulator", server.address)
            #expect(refused.code == 2 && refused.errors.contains("not projects/typo/"), "\(refused)")
            #expect(!FileManager.default.fileExists(atPath: spool))

            try bench.write(
                "b.db.pull",
                #"{"database":"projects/typo/databases/(default)","server":"Cloud Firestore","#
                    + #""readTime":"2020-01-01T00:00:00Z"}"# + "\n")
            let pulled = try bench.hearth("pull", "b.db", "--project", "shop", "--emulator", server.address)
            #expect(pulled.code == 0 && pulled.output.hasPrefix("4 documents of projects/shop/"), "\(pulled)")
            #expect(!FileManager.default.fileExists(atPath: spool))
        }

        @Test func fileThatCannotBeReplaced() throws {
            try makeDatabase()
            let server = try ServeProcess(bench, "--port", "0")
            // The name that the database would get at the end is too long, as no folder that root cannot change is at hand.
            let name = String(repeating: "a", count: 245)
            try FileManager.default.moveItem(atPath: bench.path("a.db"), toPath: bench.path(name))
            let run = try bench.hearth("push", name, "--project", "shop", "--emulator", server.address)
            #expect(run.code == 2 && run.errors.hasPrefix("hearth: nothing was sent, as "), "\(run)")
            #expect(!FileManager.default.fileExists(atPath: bench.path("\(name).push")))
        }
    }
#endif
