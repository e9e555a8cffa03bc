// SPDX-License-Identifier: Apache-2.0

import Hearth

/// The tasks of one user, oldest first.
final class TaskRepository: Sendable {
    private let db: Firestore
    private let userId: String

    init(db: Firestore, userId: String) {
        self.db = db
        self.userId = userId
    }

    /// The tasks, now and after every change.
    var lists: some AsyncSequence<[TaskItem], any Error> {
        db.collection("tasks").whereField("userId", isEqualTo: userId).order(by: "createdTime").snapshots
            .map { snapshot in try snapshot.documents.map { try $0.data(as: TaskItem.self) } }
    }

    /// The task as it was stored, with its ID.
    @discardableResult
    func add(_ title: String) async throws -> TaskItem {
        var task = TaskItem(title: title, userId: userId)
        let reference = try await db.collection("tasks").addDocument(data: Firestore.Encoder().encode(task))
        task.id = reference.documentID
        return task
    }

    func update(_ task: TaskItem) async throws {
        guard let id = task.id else { return }
        try await db.collection("tasks").document(id).setData(Firestore.Encoder().encode(task))
    }

    func remove(_ task: TaskItem) async throws {
        guard let id = task.id else { return }
        try await db.collection("tasks").document(id).delete()
    }
}
