// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import SecurityRules
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// The decision and the commit are one: what rules have read holds at the commit's time.
    @Suite struct RulesAndCommitTests {
        private let service: FirestoreService
        private let rules = RulesSource()
        private let database = DatabaseID(project: "p")

        init() throws {
            service = FirestoreService(try DatabaseRegistry(ServerOptions(), IndexSource(), rules))
        }

        private func commit(_ writes: [Write], by credentials: Credentials) async throws -> Timestamp {
            try await service.commit(writes, transaction: nil, in: database, by: credentials).commitTime
        }

        /// One client opens and closes a gate while others write what the rules allow through an open gate only.
        @Test func noWritePassesAClosedGate() async throws {
            rules.replace(
                ServedRules(
                    documents: """
                        match /c/{id} {
                              allow create: if get(/databases/$(database)/documents/gates/g).data.open;
                            }
                        """))
            var gate: [(time: Timestamp, isOpen: Bool)] = []
            gate.append((try await commit([.set("gates/g", ["open": true])], by: .administrator), true))
            let rounds = Rounds.of(2_000)
            let passed = try await withThrowingTaskGroup(of: [Timestamp].self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        var times: [Timestamp] = []
                        for number in 0..<rounds {
                            let path = try DocumentPath(parsing: "c/w\(writer)n\(number)")
                            do {
                                times.append(try await commit([.set(path, [:])], by: .none))
                            } catch let error as RequestError where error.status == .permissionDenied {}
                        }
                        return times
                    }
                }
                for number in 0..<rounds {
                    let isOpen = number % 2 == 1
                    let time = try await commit([.set("gates/g", ["open": .boolean(isOpen)])], by: .administrator)
                    gate.append((time, isOpen))
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            for time in passed {
                #expect(gate.last { $0.time < time }?.isOpen == true, "a write passed at \(time)")
            }
        }

        /// Writers that read the same state before, of whom the rules let only the first take each number.
        @Test func concurrentWritersAreJudgedOneAfterAnother() async throws {
            rules.replace(
                ServedRules(
                    documents: """
                        match /counters/{id} {
                              allow update: if request.resource.data.n == resource.data.n + 1;
                            }
                        """))
            _ = try await commit([.set("counters/a", ["n": 0])], by: .administrator)
            let rounds = Rounds.of(500)
            for number in 1...rounds {
                let successes = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<6 {
                        group.addTask {
                            let write = Write.set("counters/a", ["n": .integer(Int64(number))])
                            return (try? await commit([write], by: .none)) != nil
                        }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(successes == 1)
            }
        }

        /// `request.time` is what a server timestamp of the same commit becomes, and nearly the commit's time.
        @Test func theTimeOfACommit() async throws {
            rules.replace(
                ServedRules(documents: "match /c/{id} { allow write: if request.resource.data.at == request.time; }"))
            let stamped = Write(
                "c/a", .update(.empty, mask: nil, transforms: [FieldTransform("at", .serverTimestamp)]))
            for _ in 0..<20 { _ = try await commit([stamped], by: .none) }
        }

        /// A batch is judged as a whole: each document by what the others become.
        @Test func aBatchSeesItself() async throws {
            rules.replace(
                ServedRules(
                    documents: """
                        match /rooms/{id} {
                              allow create: if getAfter(/databases/$(database)/documents/keys/$(id)).data.room == id;
                            }
                            match /keys/{id} { allow create: if existsAfter(/databases/$(database)/documents/rooms/$(id)); }
                        """))
            let (room, key) = (Write.set("rooms/a", [:]), Write.set("keys/a", ["room": "a"]))
            await #expect(throws: RequestError.self) { _ = try await commit([room], by: .none) }
            await #expect(throws: RequestError.self) { _ = try await commit([key], by: .none) }
            _ = try await commit([room, key], by: .none)
        }

        /// A commit that they refuse ends its transaction, as every other one that fails.
        @Test func rulesThatDoNotCompile() async throws {
            let transaction = try await service.beginTransaction(.readWrite(retrying: nil), in: database)
            rules.replace(ServedRules(compiling: [(name: "broken.rules", text: "service")]))
            let refused = await #expect(throws: RequestError.self) {
                _ = try await service.commit(
                    [.set("c/d", [:])], transaction: transaction, in: database, by: .administrator)
            }
            #expect(refused?.message.hasPrefix("Error compiling rules:") == true)
            #expect(try await service.databases.database(database).transactions.count == 0)
        }

        /// A transaction's reads are judged when they are made, its writes with the state at the commit.
        @Test func transactions() async throws {
            rules.replace(
                ServedRules(
                    documents: """
                        match /c/{id} {
                              allow read: if request.inTransaction && id != 'hidden';
                              allow update: if request.resource.data.n == resource.data.n + 1;
                            }
                        """))
            _ = try await commit([.set("c/a", ["n": 1])], by: .administrator)
            let id = try await service.beginTransaction(.readWrite(retrying: nil), in: database)
            _ = try await service.snapshot(of: database, .transaction(id), for: .none, reading: .documents(["c/a"]))
            await #expect(throws: RequestError.self) {
                _ = try await service.snapshot(of: database, .latest, for: .none, reading: .documents(["c/a"]))
            }
            await #expect(throws: RequestError.self) {
                _ = try await service.snapshot(
                    of: database, .transaction(id), for: .none, reading: .documents(["c/hidden"]))
            }
            let write = Write.set("c/a", ["n": 2])
            _ = try await service.commit([write], transaction: id, in: database, by: .none)
        }

        /// A refused read that would have begun a transaction leaves none behind.
        @Test func noTransactionOfARefusedRead() async throws {
            rules.replace(ServedRules(documents: "match /c/{id} { allow read: if false; }"))
            let database = try await service.databases.database(database)
            await #expect(throws: RequestError.self) {
                _ = try await service.snapshot(
                    of: self.database, .newTransaction(.readWrite(retrying: nil)), for: .none,
                    reading: .documents(["c/a"]))
            }
            #expect(database.transactions.count == 0)
        }
    }
#endif
