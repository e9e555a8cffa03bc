// SPDX-License-Identifier: Apache-2.0

/// Who runs a file's queries. Security rules concern users only; the libraries for servers pass them by.
enum SourceCaller {
    case user
    case server
    /// It imports libraries for both.
    case either

    private static let modulesForServers = ["firebase-admin", "@google-cloud/firestore", "firebase-functions"]
    /// Files of the application that give what the library for servers made, by how their paths end.
    private static let wrappersForServers = ["firebase-admin", "firebaseAdmin", "firebase/admin"]
    private static let modulesForUsers = [
        "firebase/", "@firebase/", "@angular/fire", "@react-native-firebase/", "firebase\"", "firebase'",
    ]

    init(_ source: [UInt8], _ language: Language) {
        func imports(_ modules: [String], orEndsWith ends: [String] = []) -> Bool {
            ["\"", "'"].contains { quote in
                modules.contains { QuerySource.contains(source, quote + $0) }
                    || ends.contains { QuerySource.contains(source, $0 + quote) }
            }
        }
        func mentions(_ names: String...) -> Bool { names.contains { QuerySource.contains(source, $0) } }
        let isForServer: Bool
        let isForUser: Bool
        switch language.name {
        case "python", "go", "php": (isForServer, isForUser) = (true, false)
        // The library for Unity is one for users.
        case "csharp":
            isForUser = mentions("Firebase.Firestore")
            isForServer = !isForUser || mentions("Google.Cloud.Firestore")
        case "java", "kotlin":
            isForServer = mentions("com.google.cloud.firestore", "com.google.firebase.cloud")
            isForUser = mentions(
                "com.google.firebase.firestore", "com.google.firebase.Firebase", "com.google.firebase.ktx")
        case "javascript":
            isForServer = imports(SourceCaller.modulesForServers, orEndsWith: SourceCaller.wrappersForServers)
            isForUser = imports(SourceCaller.modulesForUsers)
        default: (isForServer, isForUser) = (false, true)
        }
        self = isForServer ? (isForUser ? .either : .server) : .user
    }
}
