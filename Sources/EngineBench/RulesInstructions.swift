// SPDX-License-Identifier: Apache-2.0

internal import Hearth

/// Operations of a user, whom security rules judge. What rules take is the difference to the administrator's.
func rulesOperations(
    _ database: Database
) throws -> [(name: String, repetitions: Int, body: () throws -> Void)] {
    let uid = "kJ2hG5tR9wQzX1cV7bN3mL8p"
    database.securityRules = try SecurityRules(userRules)
    let user = database.asUser(.user(uid))
    try database.document("users/\(uid)").sync.setData(["name": "Ann"])
    let post: [String: any Sendable] = [
        "owner": uid, "title": "On bridges", "text": "Water the plants.", "public": true, "n": 3,
    ]
    try database.document("posts/written").sync.setData(post)
    var operations: [(name: String, repetitions: Int, body: () throws -> Void)] = []
    for (name, subject) in [("administrator", database), ("user", user)] {
        let document = subject.document("users/\(uid)")
        let written = subject.document("posts/written")
        let own = subject.collection("posts").whereField("owner", isEqualTo: uid).limit(to: 20)
        operations += [
            ("read-by-\(name)", 100, { _ = try document.sync.getDocument() }),
            ("write-by-\(name)", 10, { try written.sync.setData(post) }),
            ("query-by-\(name)", 20, { _ = try own.sync.getDocuments() }),
        ]
    }
    return operations
}

private let userRules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid} {
          allow read: if request.auth.uid == uid;
        }
        match /posts/{post} {
          function valid() {
            let data = request.resource.data;
            return data.keys().hasOnly(['owner', 'title', 'text', 'public', 'n'])
              && data.title is string && data.title.size() <= 100
              && data.text is string && data.public is bool && data.n is int;
          }
          allow list: if resource.data.owner == request.auth.uid && request.query.limit <= 50;
          allow create, update: if request.auth.uid == request.resource.data.owner && valid();
        }
      }
    }
    """
