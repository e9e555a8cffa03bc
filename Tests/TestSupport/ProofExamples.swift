// SPDX-License-Identifier: Apache-2.0

/// Rules, a claim about them, and whether it is wrong.
package struct ProofExample: Sendable, CustomStringConvertible {
    package let rules: String
    package let claim: String
    package let isRefuted: Bool

    package var description: String { claim }
}

package enum ProofExamples {
    private static func holds(_ rules: String, _ claim: String) -> ProofExample {
        ProofExample(rules: rules, claim: claim, isRefuted: false)
    }

    private static func fails(_ rules: String, _ claim: String) -> ProofExample {
        ProofExample(rules: rules, claim: claim, isRefuted: true)
    }

    private static let ownUser = "users/{uid}: write only if request.auth.uid == uid"
    private static let admin = """
        function isAdmin() {
          return exists(/databases/$(database)/documents/users/$(request.auth.uid))
            && get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
        }

        """

    package static let all = listed + computed

    private static let listed: [ProofExample] = [
        holds("match /users/{uid} { allow write: if request.auth.uid == uid; }", ownUser),
        holds("match /users/{uid} { allow write: if request.auth != null && uid == request.auth.uid; }", ownUser),
        holds("match /users/{id} { allow read; }", ownUser),
        holds("match /notes/{id} { allow write; }", ownUser),
        fails("match /users/{uid} { allow write: if request.auth != null; }", ownUser),
        fails("match /{document=**} { allow write: if request.auth != null; }", ownUser),
        fails(
            "match /users/{uid} { allow write: if request.auth.uid == uid; }\nmatch /{c}/{d} { allow update: if "
                + "request.resource.data.keys().hasOnly(['name']) && request.resource.data.name is string; }", ownUser),
        fails(admin + "match /users/{uid} { allow write: if request.auth.uid == uid || isAdmin(); }", ownUser),
        fails(
            "match /users/{uid} { allow write: if request.auth.token.admin == true || request.auth.uid == uid; }",
            ownUser),
        holds(
            "match /notes/{id} { allow update: if resource.data.owner == request.auth.uid; }",
            "notes/{id}: update only if request.auth.uid == resource.data.owner"),
        fails(
            "match /notes/{id} { allow update: if request.resource.data.owner == request.auth.uid; }",
            "notes/{id}: update only if request.auth.uid == resource.data.owner"),
        fails(
            "match /notes/{id} { allow update: if resource.data.owner == request.auth.uid; }",
            "notes/{id}: update only if request.resource.data.owner == resource.data.owner"),
        holds(
            "match /notes/{id} { allow update: if resource.data.owner == request.auth.uid && "
                + "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['text']); }",
            "notes/{id}: update only if request.resource.data.owner == resource.data.owner"),
        fails(
            "match /notes/{id} { allow update: if resource.data.owner == request.auth.uid && "
                + "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['text', 'owner']); }",
            "notes/{id}: update only if request.resource.data.owner == resource.data.owner"),
        fails(
            "match /notes/{id} { allow create: if request.resource.data.keys().hasAll(['title', 'size']) && "
                + "request.resource.data.title.size() > 3 && request.resource.data.size > 5; }",
            "notes/{id}: create only if request.resource.data.keys().hasOnly(['title', 'size'])"),
        fails(
            "match /items/{id} { allow create: if request.resource.data.price > 0 && "
                + "request.resource.data.at == request.time; }",
            "items/{id}: create only if request.resource.data.price < 100"),
        holds(
            "match /items/{id} { allow create: if request.resource.data.price in [1, 2]; }",
            "items/{id}: create only if request.resource.data.price < 100"),
        fails(
            "match /teams/{id} { allow read: if request.auth.uid in resource.data.members || resource.data.open == true; }",
            "teams/{id}: get only if request.auth.uid in resource.data.members"),
        holds("match /secrets/{id} { allow read: if false; }", "secrets/{id}: read, write never"),
        fails("match /{c}/{id} { allow read: if c != 'private'; }", "secrets/{id}: read never"),
        fails(
            "match /posts/{id} { allow list: if !('hidden' in resource.data); }",
            "posts/{id}: list only if resource.data.hidden == false"),
        fails(
            "match /posts/{id} { allow list: if resource.data.state == 'public'; }",
            "posts/{id}: list only if request.auth != null"),
        fails(
            "match /a/{b}/c/{d} { allow delete: if resource.data.n < 3 && !(resource.data.locked == true) && b != 'x'; }",
            "a/{b}/c/{d}: delete never"),
        fails(
            "match /m/{id} { allow create: if request.auth.token.email.matches('.*@example[.]com'); }",
            "m/{id}: create only if request.auth.token.email_verified == true"),
    ]

    /// What conditions compute from a request: none of these is an equality that can be read off.
    private static let computed: [ProofExample] = [
        ("create", "request.auth.token.email.matches('.*@corp[.]com$')"),
        ("create", "request.auth.token.email.matches('[^@]+@(a|b)[.]com')"),
        ("create", "request.resource.data.code.matches('^[A-Z]{3}-[0-9]{4,}$')"),
        ("create", "request.auth.token.email.split('@')[1] == 'acme.io'"),
        ("create", "request.resource.data.bio.trim().size() >= 50"),
        ("get", "resource.data.roles[request.auth.uid] == 'owner'"),
        ("update", "resource.data.roles[request.auth.uid] in ['owner', 'writer'] && resource.data.n == 5"),
        ("update", "resource.data.likes + 1 == request.resource.data.likes"),
        ("update", "request.resource.data.version - 1 == resource.data.version"),
        ("create", "request.resource.data.tags.removeAll(['a', 'b']).size() == 0"),
        ("create", "request.resource.data.tags.removeAll(['a']).size() > 1"),
        ("create", "request.resource.data.tags.removeAll(['a']) == []"),
        ("create", "request.resource.data.tags.removeAll(['a']) != []"),
        ("create", "'b' in request.resource.data.tags.removeAll(['a'])"),
        ("create", "request.resource.data.keys().removeAll(['title']).size() == 1"),
        ("create", "request.resource.data.keys().toSet().difference(['title'].toSet()).size() == 2"),
        ("create", "request.resource.data.keys().size() == 2"),
        ("update", "request.resource.data.diff(resource.data).affectedKeys().size() == 1"),
        ("create", "request.resource.data.tags.toSet().hasOnly(['a', 'b'].toSet())"),
        ("create", "!request.resource.data.tags.hasOnly(['a'])"),
        ("get", "!resource.data.tags.hasAny(['a'])"),
        ("update", "!request.resource.data.diff(resource.data).affectedKeys().hasOnly(['a'])"),
        ("update", "request.resource.data.diff(resource.data).affectedKeys().hasAll(['a', 'b'])"),
        ("create", "request.resource.data.when > request.time + duration.value(1, 'd')"),
    ].map { method, condition in
        fails("match /m/{id} { allow \(method): if \(condition); }", "m/{id}: \(method) never")
    }
}
