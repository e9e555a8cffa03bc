// SPDX-License-Identifier: Apache-2.0

import Hearth

/// A task list: first without the index that its query needs, then with it.
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
        let others = TaskRepository(db: db, userId: "alan")

        try await repository.add("Water the plants")
        let call = try await repository.add("Call Charles")
        let letter = try await repository.add("Post the letter")
        try await others.add("Break the code")

        do {
            try await show(repository)
        } catch let error as FirestoreError where error.missingIndex != nil {
            print(error.localizedDescription)
            try await db.setIndexConfiguration(indexes)
            print("Now with the index:")
            try await show(repository)
        }

        var done = call
        done.isCompleted = true
        try await repository.update(done)
        try await repository.remove(letter)
        print("Later:")
        try await show(repository)
    }

    private static func show(_ repository: TaskRepository) async throws {
        for task in try await repository.tasks() {
            print(task.isCompleted ? "[x]" : "[ ]", task.title)
        }
    }
}
