// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import SyncCore
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// Calls that wait for the server end with the task that awaits them, and leave nothing behind.
@Suite struct CancelledCallTests {
    enum Reading: CaseIterable { case document, query, documentOfCacheFirst, queryOfCacheFirst }

    private func read(_ reading: Reading, _ device: Device) async throws {
        switch reading {
        case .document: _ = try await device.cities.document("SF").getDocument()
        case .query: _ = try await device.cities.getDocuments(source: .server)
        case .documentOfCacheFirst:
            _ = try await device.cities.document("SF").getDocument(source: .cacheFirst(deadline: .seconds(3_600)))
        case .queryOfCacheFirst:
            _ = try await device.cities.getDocuments(source: .cacheFirst(deadline: .seconds(3_600)))
        }
    }

    /// - Parameter isLate: whether the server has the request when the task is cancelled.
    @Test(arguments: Reading.allCases, [false, true])
    func reads(_ reading: Reading, _ isLate: Bool) async throws {
        let server = try FakeServer()
        server.change { $0.tellsListeners = false }
        let device = try Device(server)
        let task = Task { try await read(reading, device) }
        if isLate { try await wait(for: "the listen") { server.listenCount == 1 } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await wait(for: "the end of the listen") { server.listenCount == 0 }
        let client = try device.database.client()
        try await wait(for: "nobody to wait") { client.queue.sync { client.waiting.listeners.isEmpty } }
        server.change { $0.tellsListeners = true }
        #expect(try await device.cities.document("SF").getDocument().text == "missing")
    }

    @Test(arguments: [false, true]) func waits(_ isLate: Bool) async throws {
        let server = try FakeServer()
        server.change { $0.answersWrites = false }
        let device = try Device(server)
        try await device.cities.document("SF").setData(["n": 1], until: .stored)
        let client = try device.database.client()
        let task = Task { try await device.database.waitForPendingWrites() }
        if isLate { try await wait(for: "the wait") { client.queue.sync { client.waiting.waits.count } == 1 } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await wait(for: "nobody to wait") { client.queue.sync { client.waiting.waits.isEmpty } }
        // The write is sent all the same.
        server.change { $0.answersWrites = true }
        try await device.database.waitForPendingWrites()
        #expect(try server.n("cities/SF") == 1)
    }

    enum Asking: CaseIterable { case aggregation, search, reading, committing }

    @Test(arguments: Asking.allCases) func requests(_ asking: Asking) async throws {
        let server = try FakeServer()
        let device = try Device(server)
        let city = device.cities.document("SF")
        let runs = Heard<Int>()
        if asking != .committing { server.change { $0.answersRequests = false } }
        let task = Task {
            switch asking {
            case .aggregation: _ = try await device.cities.count.getAggregation(source: .server)
            case .search:
                let search = device.cities.findNearest(
                    vectorField: "place", queryVector: VectorValue([0]), limit: 2, distanceMeasure: .euclidean)
                _ = try await search.getDocuments()
            case .reading, .committing:
                try await device.database.runTransaction { transaction in
                    runs.add(1)
                    if try !transaction.getDocument(city).exists {
                        if asking == .committing { server.change { $0.answersRequests = false } }
                        transaction.setData(["n": 1], forDocument: city)
                    }
                }
            }
        }
        try await wait(for: "the request") { server.state.withLock { $0.heldRequests } == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await wait(for: "the end of the request") { server.state.withLock { $0.heldRequests } == 0 }
        server.change { $0.answersRequests = true }
        // No attempt follows.
        try await device.database.runTransaction { _ in }
        #expect(runs.take().count == (asking == .reading || asking == .committing ? 1 : 0))
        #expect(try server.document("cities/SF") == nil)
    }

    /// A transaction that waits for its next attempt ends at once.
    @Test func betweenAttempts() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        try server.set("cities/SF", .n(0))
        let runs = Heard<Int>()
        let city = device.cities.document("SF")
        let task = Task {
            try await device.database.runTransaction { transaction in
                _ = try transaction.getDocument(city)
                // Every attempt conflicts.
                try server.set("cities/SF", .n(.random(in: 0 ... .max)))
                runs.add(1)
                transaction.updateData(["n": 0], forDocument: city)
            }
        }
        _ = try await runs.next(1, "a run")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func beforeTheCall() async throws {
        let device = try Device(try FakeServer())
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await device.database.runTransaction { _ in Issue.record("the block ran") }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
