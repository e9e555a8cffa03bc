// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// What security rules cost: the same calls by a user, whom rules judge, and by the administrator, whom they do not. The difference
/// of the two is what rules take.
enum RulesSuite {
    static func run(_ bench: Bench) throws {
        let names = [
            "rules: compile 50 KB", "rules: read, uid == uid", "rules: write, keys and types",
            "rules: query, decided once",
        ]
        let wanted = names.filter { bench.wants($0, of: "rules") }
        guard !wanted.isEmpty else { return }
        bench.report.heading("Security rules: a user beside the administrator")
        let path = bench.folder.appending(path: "rules.db").path
        let settings = FirestoreSettings()
        settings.durability = .mayLoseDatabase
        let database = try Database.open(path: path, settings: settings)
        database.securityRules = try SecurityRules(rules)
        let user = database.asUser(.user(uid))
        try fill(database)
        let contests = [
            Contest(name: names[0], size: 1, contenders: [compiling(source(of: 50_000))]),
            contest(names[1], user, database) { _ = try $0.document("users/\(uid)").sync.getDocument()["name"] },
            contest(names[2], user, database) { try $0.document("posts/written").sync.setData(post) },
            contest(names[3], user, database) {
                _ = try $0.collection("posts").whereField("owner", isEqualTo: uid).limit(to: 20).sync.getDocuments()
            },
        ]
        for contest in contests where wanted.contains(contest.name) { bench.report.add(try contest.measure()) }
    }

    private static let uid = "kJ2hG5tR9wQzX1cV7bN3mL8p"
    private static let post: [String: any Sendable] = [
        "owner": uid, "title": "On bridges", "text": "Water the plants.", "public": true, "n": 3,
    ]

    private static func fill(_ database: Database) throws {
        try database.document("users/\(uid)").sync.setData(["name": "Ann"])
        for number in 0..<100 { try database.document("posts/\(number)").sync.setData(post) }
    }

    private static func contest(
        _ name: String, _ user: Database, _ administrator: Database, _ body: @escaping (Database) throws -> Void
    ) -> Contest {
        let contenders = [("user", user), ("administrator", administrator)].map { name, database in
            Contest.Contender(name: name) { repetitions in
                for _ in 0..<repetitions { try body(database) }
                return Int64(repetitions)
            }
        }
        return Contest(name: name, size: 100, contenders: contenders)
    }

    private static func compiling(_ source: String) -> Contest.Contender {
        Contest.Contender(name: "Hearth") { repetitions in
            for _ in 0..<repetitions { _ = try SecurityRules(source) }
            return Int64(repetitions)
        }
    }

    private static func source(_ matches: String) -> String {
        """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
        \(matches)
          }
        }
        """
    }

    private static let rules = source(
        """
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
        """)

    /// Rules of a size, as people write them.
    private static func source(of size: Int) -> String {
        var matches = ""
        var number = 0
        while matches.utf8.count < size {
            matches += """
                    match /c\(number)/{id} {
                      function valid(data) {
                        let n = data.size();
                        return data.keys().hasOnly(['owner', 'title', 'n']) && data.title is string && n < 10;
                      }
                      allow read: if request.auth != null && (resource.data.owner == request.auth.uid
                        || exists(/databases/$(database)/documents/admins/$(request.auth.uid)));
                      allow create, update: if request.auth.uid == id && valid(request.resource.data)
                        && request.resource.data.title.matches('[a-z]+[0-9]*');
                    }

                """
            number += 1
        }
        return source(matches)
    }
}
