// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Hearth
import Synchronization
import TestSupport
import Testing

/// The asynchronous and callback forms, the order between them, and the queues they use.
@Suite struct FormsTests {
    /// W-13: an added document gets a new ID.
    @Test func asynchronousForms() async throws {
        let directory = try TemporaryDirectory()
        let database = try await Database.open(path: directory.path("a.db"), settings: Sample.settings)
        let cities = database.collection("cities")
        let city = try await cities.addDocument(data: ["name": "Tokyo"])
        try await city.updateData(["population": 1])
        try await city.setData(["country": "Japan"], merge: true)
        try await city.setData(["country": "JP", "name": "x"], mergeFields: ["country"])
        let snapshot = try await city.getDocument()
        #expect(snapshot.data().map { $0 as NSDictionary } == ["name": "Tokyo", "population": 1, "country": "JP"])
        #expect(try await city.getDocument(source: .cache).exists)
        #expect(try await database.listCollections().map(\.collectionID) == ["cities"])
        try await city.delete()
        #expect(try await city.getDocument(source: .server).exists == false)
        await #expect(throws: FirestoreError.self) { try await city.updateData(["a": 1]) }
        await #expect(throws: FirestoreError.self) { try await Database.open(path: directory.path("no/such/folder")) }
    }

    /// A read sees every write requested before it, even without waiting for them.
    @Test func readsSeeEarlierWrites() throws {
        let database = try Sample().database
        let document = database.document("a/b")
        for number in 0..<200 {
            document.setData(["n": number])
            #expect(try document.sync.getDocument()["n"] as? Int == number)
        }
        for number in 0..<200 { document.setData(["n": number]) }
        document.updateData(["n": FieldValue.increment(1)])
        let value = Mutex<Int?>(nil)
        let done = DispatchSemaphore(value: 0)
        document.getDocument { snapshot, _ in
            value.withLock { $0 = snapshot?["n"] as? Int }
            done.signal()
        }
        done.wait()
        #expect(value.withLock { $0 } == 200)
    }

    @Test func callbacksComeInOrderOnTheMainQueue() throws {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let database = try Sample().database
        let calls = Mutex<[String]>([])
        let done = DispatchSemaphore(value: 0)
        let note: @Sendable (String, (any Error)?) -> Void = { name, error in
            let isElsewhere = DispatchQueue.getSpecific(key: key) == nil ? " elsewhere" : ""
            calls.withLock { $0.append(name + (error.map { " \(($0 as NSError).code)" } ?? "") + isElsewhere) }
        }
        let document = database.document("a/b")
        document.setData(["n": 1]) { note("set", $0) }
        document.setData(["m": 1], merge: true) { note("merge", $0) }
        document.updateData(["n": 2]) { note("update", $0) }
        database.document("a/missing").updateData(["n": 2]) { note("missing", $0) }
        document.setData(["__x__": 2]) { note("invalid", $0) }
        let added = database.collection("a").addDocument(data: [:]) { note("add", $0) }
        document.delete {
            note("delete", $0)
            done.signal()
        }
        done.wait()
        #expect(calls.withLock { $0 } == ["set", "merge", "update", "missing 5", "invalid 3", "add", "delete"])
        #expect(try added.sync.getDocument().exists)
    }

    @Test func callbacksArriveOnTheQueueOfTheSettings() throws {
        let directory = try TemporaryDirectory()
        let key = DispatchSpecificKey<Int>()
        let settings = Sample.settings
        settings.dispatchQueue = DispatchQueue(label: "test")
        settings.dispatchQueue.setSpecific(key: key, value: 42)
        let database = try Database.open(path: directory.path("a.db"), settings: settings)
        let found = Mutex<Int?>(nil)
        let done = DispatchSemaphore(value: 0)
        database.document("a/b").setData([:]) { _ in
            found.withLock { $0 = DispatchQueue.getSpecific(key: key) }
            done.signal()
        }
        done.wait()
        #expect(found.withLock { $0 } == 42)
    }

    /// A class on the main actor, as in ported code. Its data can be sent without being `Sendable`.
    @MainActor final class Model {
        var data: [String: Any] = ["list": NSMutableArray(array: [1, 2])]
        var loaded: [String: Any]?

        func save(_ document: DocumentReference) async throws {
            try await document.setData(data)
            loaded = try await document.getDocument().data()
        }

        func check() { #expect(loaded?["list"] as? [Int] == [1, 2]) }
    }

    @Test func mainActor() async throws {
        let sample = try Sample()
        let model = await Model()
        try await model.save(sample.database.document("a/b"))
        await model.check()
    }

    /// Any number of tasks: no thread of Swift's pool is blocked, so all of them end.
    @Test func manyTasks() async throws {
        let database = try Sample().database
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let document = database.document("a/\(number % 10)")
                    try await document.setData(["n": FieldValue.increment(1)], merge: true)
                    _ = try await document.getDocument()
                }
            }
            try await group.waitForAll()
        }
        for number in 0..<10 {
            #expect(try await database.document("a/\(number)").getDocument()["n"] as? Int == 30)
        }
    }
}
