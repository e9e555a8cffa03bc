// SPDX-License-Identifier: Apache-2.0

internal import Hearth

/// A task as a program would define it.
struct Task: Codable {
    var created: Timestamp
    var done: Bool
    var estimate: Double
    var notes: String
    var priority: Int
    var project: String
    var status: String
    var tags: [String]
    var title: String
    var userId: String

    init(_ index: Int) {
        created = Timestamp(seconds: 1_700_000_000 + Int64(index), nanoseconds: 0)
        done = index % 3 == 0
        estimate = Double(index % 100) / 4
        notes = "call the garden office about paper for the summer school"
        priority = index % 10
        project = "project-\(index % 20)"
        status = ["open", "waiting", "done"][index % 3]
        tags = ["tag-\(index % 50)", "tag-\(index % 50 + 50)"]
        title = "write a letter to the bridge keeper"
        userId = "user-\(index % 20)"
    }

    /// The same for writes without Codable.
    var data: [String: Any] {
        [
            "created": created, "done": done, "estimate": estimate, "notes": notes, "priority": priority,
            "project": project, "status": status, "tags": tags, "title": title, "userId": userId,
        ]
    }
}
