// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// Listeners of users: judged when they start, when their documents change, and when the rules change.
@Suite struct UserListenerTests {
    private let audience: Audience
    private let alice: Database

    init() throws {
        audience = try Audience()
        alice = audience.database.asUser(.user("alice"))
        audience.database.securityRules = try Self.rules("true")
        try set("notes/a", ["owner": "alice", "n": 1])
    }

    private static func rules(_ open: String) throws -> SecurityRules {
        try SecurityRules(
            """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                match /notes/{id} { allow read: if resource.data.owner == request.auth.uid; }
                match /open/{id} { allow read: if \(open); }
                match /gated/{id} { allow read: if get(/databases/$(database)/documents/gates/g).data.open; }
              }
            }
            """)
    }

    private func set(_ path: String, _ data: [String: Any]) throws {
        try audience.database.document(path).sync.setData(data)
    }

    @Test func refusedAtTheStart() {
        let heard = audience.listen(to: alice.collection("notes"))
        #expect(heard.take().isEmpty)
        #expect(heard.status == .permissionDenied)
    }

    @Test func aQueryThatProvesItself() throws {
        let heard = audience.listen(to: alice.collection("notes").whereField("owner", isEqualTo: "alice"))
        try set("notes/b", ["owner": "alice"])
        try set("notes/a", ["owner": "bob"])
        audience.settle()
        #expect(heard.take().map { $0.documents.map(\.documentID) } == [["a"], ["a", "b"], ["b"]])
    }

    /// The state that hides the document is not shown.
    @Test func aDocumentThatIsHiddenByItsChange() throws {
        let heard = Heard<DocumentSnapshot>()
        let registration = alice.document("notes/a").addSnapshotListener { heard.add($0, $1) }
        audience.settle()
        try set("notes/a", ["owner": "alice", "n": 2])
        audience.settle()
        try set("notes/a", ["owner": "bob", "n": 3])
        audience.settle()
        #expect(heard.take().map { $0["n"] as? Int } == [1, 2])
        #expect(heard.status == .permissionDenied)
        registration.remove()
    }

    @Test func aQueryWhoseGateIsClosed() throws {
        try set("gates/g", ["open": true])
        let heard = audience.listen(to: alice.collection("gated"))
        try set("gated/a", [:])
        audience.settle()
        try set("gates/g", ["open": false])
        try set("gated/b", [:])
        audience.settle()
        #expect(heard.take().map(\.count) == [0, 1])
        #expect(heard.status == .permissionDenied)
    }

    /// Neither a document nor the rules change: only the time passes.
    @Test(arguments: ["request.time", "request['time']"])
    func aQueryUntilADate(_ time: String) throws {
        var heard = Heard<QuerySnapshot>()
        var end = Date.now
        // A start that takes longer than that comes too late, and is tried again with more time.
        for seconds in [0.3, 3, 30, 300] {
            end = Date.now.addingTimeInterval(seconds)
            let milliseconds = Int(end.timeIntervalSince1970 * 1_000)
            audience.database.securityRules = try Self.rules("\(time).toMillis() < \(milliseconds)")
            heard = audience.listen(to: alice.collection("open"))
            if heard.status == nil { break }
        }
        #expect(heard.take().map(\.count) == [0])
        while Date.now <= end { Thread.sleep(until: end.addingTimeInterval(0.01)) }
        try set("open/a", [:])
        audience.settle()
        #expect(heard.take().isEmpty)
        #expect(heard.status == .permissionDenied)
    }

    @Test func newRules() throws {
        let heard = audience.listen(to: alice.collection("open"))
        let administrators = audience.listen(to: audience.database.collection("open"))
        audience.database.securityRules = try Self.rules("1 == 1")
        audience.settle()
        #expect(heard.status == nil && heard.take().count == 1)
        audience.database.securityRules = try Self.rules("false")
        audience.settle()
        #expect(heard.status == .permissionDenied)
        try set("open/a", [:])
        audience.settle()
        #expect(administrators.take().map(\.count) == [0, 1])
        #expect(heard.take().isEmpty)
    }
}

extension Heard {
    /// The status of the last error.
    fileprivate var status: FirestoreErrorCode.Code? { errors.withLock { $0.last?.status } }
}
