// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct ListenerSnippets {
    struct Item: Codable, Sendable {
        var title: String
    }

    @Test func article() async throws {
        let database = try Cities.database()
        let listener = database.collection("cities").whereField("state", isEqualTo: "CA")
            .addSnapshotListener { snapshot, error in
                guard let snapshot else { return print("refused:", error!) }
                for change in snapshot.documentChanges { print(change.type, change.document.documentID) }
            }
        listener.remove()

        for try await snapshot in database.collection("cities").snapshots {
            print(snapshot.count)
            if snapshot.count > 1 { break }
        }
    }

    @MainActor final class CityList {
        private(set) var names: [String] = []

        func start(_ query: Query) {
            query.addSnapshotListener { [weak self] snapshot, error in
                self?.names = snapshot?.documents.compactMap { $0["name"] as? String } ?? []
            }
        }

        func follow(_ query: Query) async throws {
            for try await snapshot in query.snapshots {
                names = snapshot.documents.compactMap { $0["name"] as? String }
            }
        }
    }

    @MainActor @Test func mainActor() async throws {
        let list = CityList()
        let database = try Cities.database()
        let following = Task { try await list.follow(database.collection("cities").limit(to: 2)) }
        while list.names != ["Beijing", "Washington D.C."] { await Task.yield() }
        following.cancel()
    }

    @MainActor @Test func observable() throws {
        let database = try emptyDatabase()
        let tasks = LiveQuery<Item>(
            database.collection("tasks"),
            predicates: [.whereField("userId", isEqualTo: "ada"), .order(by: "createdTime")])
        #expect(tasks.items.isEmpty)
    }
}
