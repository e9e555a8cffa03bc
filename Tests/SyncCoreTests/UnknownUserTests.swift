// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import TestSupport
import Testing

/// What is written before credentials have named a user, or after the program has said that the user has changed, belongs to
/// the user who is named next.
@Suite(.serialized) struct UnknownUserTests {
    private static func set(_ id: String) -> [Write] { [.set(ScriptedClient.path(id), .empty)] }

    /// The IDs of the documents that were sent, each batch's first.
    private static func sent(_ effects: [SyncEffect]) -> [String] {
        effects.sentWrites.map { String("\($0[0].path)".dropFirst(2)) }
    }

    @Test(arguments: ReplicaPlace.allCases) func beforeTheFirstUser(_ place: ReplicaPlace) throws {
        let client = ScriptedClient(in: try place.make(), isUserKnown: false)
        client.feed(.write(UnknownUserTests.set("x"), write: 1))
        client.feed(.waitForPendingWrites(wait: 1))
        #expect(try client.cached("x").local.isFound)
        #expect(client.effects.sentWrites.isEmpty)
        let effects = client.feed(.changeUser(SyncUser("a")))
        #expect(UnknownUserTests.sent(effects) == ["x"])
        #expect(try client.cached("x").local.isFound)
        #expect(try client.machine.pendingWrites().count == 1)
        client.acknowledge(at: 5)
        #expect(client.effects.finished == [1: .ok])
        #expect(client.effects.finishedWaits == [1])
    }

    /// The process is killed before there was a token, or its file was found damaged.
    @Test(arguments: ReplicaPlace.allCases, [false, true])
    func beforeTheFirstUserAndARestart(_ place: ReplicaPlace, _ isDamaged: Bool) throws {
        let client = ScriptedClient(in: try place.make(), isUserKnown: false)
        client.feed(.write(UnknownUserTests.set("x"), write: 1))
        try client.restart(isDamaged: isDamaged)
        #expect(client.effects.sentWrites.isEmpty)
        #expect(UnknownUserTests.sent(client.feed(.changeUser(SyncUser("a")))) == ["x"])
        try client.restart()
        client.feed(.changeUser(SyncUser(nil)))
        #expect(client.effects.sentBatches == 2, "it is a's, and sent again for a after the restart only")
    }

    /// Who was signed in when the program ended is so until credentials name another user.
    @Test(arguments: ReplicaPlace.allCases) func whoWasSignedInGoesOn(_ place: ReplicaPlace) throws {
        let client = ScriptedClient(in: try place.make(), isUserKnown: false)
        client.feed(.changeUser(SyncUser("a")))
        try client.restart()
        client.feed(.disableNetwork)
        client.feed(.write(UnknownUserTests.set("x"), write: 1))
        client.feed(.changeUser(SyncUser("b")))
        client.feed(.enableNetwork)
        #expect(client.effects.sentWrites.isEmpty)
        #expect(UnknownUserTests.sent(client.feed(.changeUser(SyncUser("a")))) == ["x"])
    }

    /// A program whose user is always the same needs no name, and takes what a client without one has left.
    @Test(arguments: ReplicaPlace.allCases) func aKnownUserTakesWhatIsLeft(_ place: ReplicaPlace) throws {
        let replica = try place.make()
        var client = ScriptedClient(in: replica, isUserKnown: false)
        client.feed(.write(UnknownUserTests.set("x"), write: 1))
        client.feed(.shutdown)
        client = ScriptedClient(in: replica)
        #expect(UnknownUserTests.sent(client.effects) == ["x"])
    }

    /// A refused write of the former user is not the next one's.
    @Test(arguments: ReplicaPlace.allCases) func refusedWritesOfTheFormerUser(_ place: ReplicaPlace) throws {
        let client = ScriptedClient(in: try place.make(), isUserKnown: false)
        client.feed(.changeUser(SyncUser("a")))
        client.feed(.write(UnknownUserTests.set("x"), write: 1))
        client.fail(.write, .permissionDenied)
        client.feed(.changeUser(nil))
        #expect(client.feed(.retryRejectedWrite(batch: 1, write: 2)).finished == [2: .failedPrecondition])
        #expect(client.feed(.changeUser(SyncUser("b"))).sentWrites.isEmpty)
        client.feed(.changeUser(SyncUser("a")))
        #expect(UnknownUserTests.sent(client.feed(.retryRejectedWrite(batch: 1, write: 3))) == ["x"])
    }

    @Test(arguments: ReplicaPlace.allCases) func afterTheUserHasChanged(_ place: ReplicaPlace) throws {
        let client = ScriptedClient(in: try place.make(), isUserKnown: false)
        client.feed(.changeUser(SyncUser("a")))
        client.feed(.write(UnknownUserTests.set("of a"), write: 1))
        #expect(client.effects.sentBatches == 1)
        let unnamed = client.feed(.changeUser(nil)) + client.feed(.write(UnknownUserTests.set("of b"), write: 2))
        #expect(unnamed.sentWrites.isEmpty)
        #expect(try client.machine.pendingWrites().count == 2, "the former user's view, with what is new")
        #expect(UnknownUserTests.sent(client.feed(.changeUser(SyncUser("b")))) == ["of b"])
        #expect(try client.cached("of b").local.isFound)
        #expect(try !client.cached("of a").local.isFound)
        client.acknowledge(at: 5)
        #expect(client.effects.finished == [2: .ok])
        #expect(UnknownUserTests.sent(client.feed(.changeUser(SyncUser("a")))) == ["of a"])
    }

    /// The token names the same user again: nothing has changed.
    @Test func theSameUserAgain() throws {
        let client = ScriptedClient(isUserKnown: false)
        client.feed(.changeUser(SyncUser("a")))
        client.feed(.write(UnknownUserTests.set("x"), write: 1))
        client.feed(.waitForPendingWrites(wait: 1))
        client.feed(.changeUser(nil))
        client.feed(.write(UnknownUserTests.set("y"), write: 2))
        #expect(UnknownUserTests.sent(client.feed(.changeUser(SyncUser("a")))) == ["x", "y"])
        client.acknowledge(at: 5)
        client.acknowledge(at: 6)
        #expect(client.effects.finished == [1: .ok, 2: .ok])
        #expect(client.effects.finishedWaits == [1])
    }

    /// An increment was written on what the former user's writes had made of the document.
    @Test(arguments: ReplicaPlace.allCases) func incrementsStartFromTheNextUsersWrites(_ place: ReplicaPlace) throws {
        let client = ScriptedClient(in: try place.make(), isUserKnown: false)
        let path = ScriptedClient.path("x")
        func setN(_ n: Int64) -> [Write] { [.set(path, Fields([Field("n", .integer(n))])!)] }
        client.feed(.disableNetwork)
        for (user, n) in [("b", Int64(10)), ("a", 1)] {
            client.feed(.changeUser(SyncUser(user)))
            client.feed(.write(setN(n), write: Int(n)))
        }
        client.feed(.changeUser(nil))
        let transform = FieldTransform(FieldPath(name: "n"), .increment(.integer(5)))
        client.feed(.write([Write(path, .update(.empty, mask: [], transforms: [transform]))], write: 100))
        #expect(try client.cached("x").local.fields?["n" as Text] == .integer(6))
        client.feed(.changeUser(SyncUser("b")))
        #expect(try client.cached("x").local.fields?["n" as Text] == .integer(15))
        client.feed(.changeUser(SyncUser("a")))
        #expect(try client.cached("x").local.fields?["n" as Text] == .integer(1))
    }

    // MARK: A model

    /// A program whose user signs in and out at any time, whose tokens come late, and which is killed and started again.
    private struct Program {
        let client: ScriptedClient
        var user = SyncUser("a")
        /// Whether the file's user is the program's.
        var isNamed = false
        /// Whose each document is; nil until somebody is named.
        var authors: [DocumentPath: SyncUser?] = [:]
        var unanswered: [[Write]] = []
        var fault: String?

        mutating func feed(_ input: SyncInput) {
            for effect in client.feed(input) { note(effect) }
        }

        mutating func note(_ effect: SyncEffect) {
            switch effect {
            case .openStream(.write, _), .closeStream(.write, _): unanswered = []
            case .sendWrites(.writes(let writes, _)):
                unanswered.append(writes)
                guard let path = writes.first?.path, !isNamed || authors[path] != .some(user) else { return }
                fault = "\(path) was sent as \(user)"
            default: break
            }
        }

        mutating func write() {
            let path = ScriptedClient.path("w\(authors.count)")
            authors.updateValue(isNamed ? user : nil, forKey: path)
            feed(.write([.set(path, .empty)], write: authors.count))
        }

        mutating func signIn(_ next: SyncUser) {
            (user, isNamed) = (next, false)
            feed(.changeUser(nil))
        }

        mutating func name() {
            for path in authors.keys where authors[path] == .some(nil) { authors[path] = user }
            isNamed = true
            feed(.changeUser(user))
        }

        mutating func acknowledge(at time: Int64) {
            guard !unanswered.isEmpty else { return }
            unanswered.removeFirst()
            for effect in client.acknowledge(at: time) { note(effect) }
        }

        mutating func restart() throws {
            let known = client.effects.count
            unanswered = []
            // That nobody was signed in does not mean that nobody is now.
            isNamed = isNamed && user.id != nil
            try client.restart()
            for effect in client.effects[known...] { note(effect) }
        }
    }

    @Test(arguments: ReplicaPlace.allCases) func everyWriteIsSentAsItsAuthor(_ place: ReplicaPlace) throws {
        let count = place == .memory ? Rounds.of(5_000) : Rounds.of(100)
        try check(count: count, generate: { $0.next() }) { seed in
            var random = SeededGenerator(seed: seed)
            let users = [nil, "a", "b"].map { SyncUser($0) }
            var program = Program(client: ScriptedClient(in: try place.make(), isUserKnown: false))
            for step in 0..<random.int(5..<60) {
                switch random.int(0..<10) {
                case ..<4: program.write()
                case 4: program.signIn(random.pick(users))
                case 5: program.name()
                case 6: program.feed(random.chance(0.3) ? .disableNetwork : .enableNetwork)
                case 7: try program.restart()
                default: program.acknowledge(at: Int64(step) + 10)
                }
            }
            program.feed(.enableNetwork)
            for (index, user) in users.enumerated() {
                program.signIn(user)
                program.name()
                while !program.unanswered.isEmpty { program.acknowledge(at: Int64(index) + 1_000) }
                let left = try program.client.machine.pendingWrites()
                if !left.isEmpty { return "\(left.count) writes of \(user) were not sent" }
            }
            if let fault = program.fault { return fault }
            for path in program.authors.keys {
                let document = try program.client.replica.look { (records) throws(ReplicaError) in
                    try records.document(at: path)
                }
                if !document.base.isFound { return "\(path) has not reached the server" }
            }
            return nil
        }
    }
}
