// SPDX-License-Identifier: Apache-2.0

internal import ManagedExport

// Without the rest of Foundation the program is half as large.
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where the files of an export are.
package struct ExportFolder: Sendable {
    /// The file that lists the parts.
    let overall: URL

    private static let firebaseFile = "firebase-export-metadata.json"
    /// What `firebase emulators:export` calls the export of Firestore.
    package static let firestoreName = "firestore_export"

    init(overall: URL) {
        self.overall = overall
    }

    /// The exports at a path: a file with the suffix `.overall_export_metadata`, a folder that holds one, a folder of
    /// `firebase emulators:export`, or a folder with such folders two levels below, as `hearth serve` writes several databases.
    ///
    /// - Throws: ``ExportError`` if there is none.
    package static func all(at path: String) throws -> [ExportFolder] {
        let url = URL(filePath: path)
        if let one = try export(at: url) { return [one] }
        let inner = try children(of: url).flatMap { children(of: $0) }.compactMap { try export(at: $0) }
        guard !inner.isEmpty else {
            throw ExportError(
                "there is no export in \"\(path)\": no file \(firebaseFile) and none that ends in "
                    + ExportManifest.overallSuffix)
        }
        return inner
    }

    private static func export(at url: URL) throws -> ExportFolder? {
        if url.lastPathComponent.hasSuffix(ExportManifest.overallSuffix) { return ExportFolder(overall: url) }
        if let data = try? Data(contentsOf: url.appending(path: firebaseFile)) {
            let file = try? JSONDecoder().decode(FirebaseFile.self, from: data)
            guard let name = file?.firestore?.metadata_file else {
                throw ExportError("\"\(url.path)\" is an export without Firestore")
            }
            return ExportFolder(overall: url.appending(path: name))
        }
        return children(of: url).first { $0.lastPathComponent.hasSuffix(ExportManifest.overallSuffix) }
            .map { ExportFolder(overall: $0) }
    }

    private static func children(of url: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.sorted().map { url.appending(path: $0) }
    }

    /// Makes the folder one that `firebase emulators:start --import` reads.
    package static func writeFirebaseFile(in path: String) throws {
        let file = FirebaseFile(
            version: "14.0.0",
            firestore: FirebaseFile.Firestore(
                version: "1.19.9", path: firestoreName,
                metadata_file: "\(firestoreName)/\(firestoreName)\(ExportManifest.overallSuffix)"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(file).write(to: URL(filePath: path).appending(path: firebaseFile))
    }

    /// Whether a folder is one that may be replaced: it is empty, or an export.
    package static func isExportOrEmpty(_ path: String) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return true }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return false }
        return names.isEmpty || (try? all(at: path)) != nil
    }

    private struct FirebaseFile: Codable {
        struct Firestore: Codable {
            var version: String?
            var path: String?
            var metadata_file: String?
        }

        var version: String?
        var firestore: Firestore?
    }
}

/// Why an export cannot be read or written.
package struct ExportError: Error, Sendable {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}
