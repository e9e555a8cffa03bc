// SPDX-License-Identifier: Apache-2.0

import Hearth

/// A task list: first without the index that its query needs, then with it, following every change.
///
/// `swift run TaskList` keeps its tasks in `hearth.db` in the current folder, or in the file that `HEARTH_DATABASE` names.
@main struct TaskList {
    /// What `firestore.indexes.json` holds for this program.
    static let indexes = """
        {
          "indexes": [
            {
              "collectionGroup": "tasks",
              "queryScope": "COLLECTION",
              "fields": [
                { "fieldPath": "userId", "order": "ASCENDING" },
                { "fieldPath": "createdTime", "order": "ASCENDING" }
              ]
            }
          ]
        }
        """

    static func main() async throws {
        let db = Firestore.firestore()
        let repository = TaskRepository(db: db, userId: "ada")
        let other = TaskRepository(db: db, userId: "alan")

        try await repository.add("Water the plants")
        let call = try await repository.add("Call Charles")
        let letter = try await repository.add("Post the letter")
        try await other.add("Break the code")

        do {
            for try await tasks in repository.lists {
                show(tasks, after: "the index is there")
                break
            }
        } catch let error as FirestoreError where error.missingIndex != nil {
            print(error.localizedDescription)
            try await db.setIndexConfiguration(indexes)
        }

        var lists = repository.lists.makeAsyncIterator()
        show(try await lists.next(), after: "listening")
        var done = call
        done.isCompleted = true
        try await repository.update(done)
        show(try await lists.next(), after: "an update")
        try await repository.remove(letter)
        show(try await lists.next(), after: "a removal")
    }

    private static func show(_ tasks: [TaskItem]?, after event: String) {
        print("After \(event):")
        for task in tasks ?? [] { print(task.isCompleted ? "  [x]" : "  [ ]", task.title) }
    }
}
