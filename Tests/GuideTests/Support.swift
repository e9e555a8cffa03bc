// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth

/// An empty database in memory.
func emptyDatabase() throws -> Firestore {
    let settings = FirestoreSettings()
    settings.cacheSettings = MemoryCacheSettings()
    return try Database.open(path: "guides", settings: settings)
}

/// Lets an asynchronous test wait for code that ends with a callback.
func finished(_ program: (_ done: @escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in program { continuation.resume() } }
}

enum Repository {
    /// The root of this package.
    static let root: URL = {
        var url = URL(filePath: #filePath)
        while url.path != "/", !FileManager.default.fileExists(atPath: url.appending(path: "Package.swift").path) {
            url.deleteLastPathComponent()
        }
        return url
    }()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func swiftFiles(under folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }.sorted()
    }
}
