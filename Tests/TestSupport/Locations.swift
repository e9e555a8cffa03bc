// SPDX-License-Identifier: Apache-2.0

package import Foundation

package enum Locations {
    /// The root of this package.
    package static let packageRoot: URL = {
        var url = URL(filePath: #filePath)
        while url.path != "/", !FileManager.default.fileExists(atPath: url.appending(path: "Package.swift").path) {
            url.deleteLastPathComponent()
        }
        return url
    }()

    /// A program of this package, which is built beside the test bundle.
    package static func program(_ name: String) throws -> URL {
        let bundle = URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
        let places = [bundle, Bundle.main.bundleURL, packageRoot.appending(path: ".build/debug")]
        let programs = places.map { $0.appending(path: name) }
        guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])
        }
        return program
    }

    /// The recorded cases beside the package, or nil if they are missing, which is printed.
    package static func sharedData(_ name: String = #function) -> URL? {
        let folder = packageRoot.deletingLastPathComponent().appending(path: "shared/data")
        guard FileManager.default.fileExists(atPath: folder.path) else {
            print("\(name): skipped: shared/data is absent")
            return nil
        }
        return folder
    }
}

/// An empty directory, deleted with its contents when the last reference is released.
package final class TemporaryDirectory: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file inside. The file need not exist.
    package func path(_ name: String) -> String { url.appending(path: name).path }
}
