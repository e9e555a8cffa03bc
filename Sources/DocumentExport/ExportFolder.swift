// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
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

    /// What `firebase emulators:export` calls the export of Firestore.
    package static let firestoreName = "firestore_export"

    /// The exports at a path: a file with the suffix `.overall_export_metadata`, a folder that holds one, a folder of
    /// `firebase emulators:export`, a folder with one such folder, or a folder with those of ``subfolder(of:)``, as `hearth serve`
    /// writes several databases.
    ///
    /// - Throws: ``ExportError`` if there is none, or if it is unclear which one is meant.
    package static func all(at path: String) throws(ExportError) -> [ExportFolder] {
        let url = URL(filePath: path)
        try expectReadable(url, named: path)
        if let one = export(at: url) { return [one] }
        let file = FirebaseExportFile(in: url)
        let others = file?.otherFolders ?? []
        let folders = children(of: url).filter {
            !others.contains($0.lastPathComponent) && !$0.lastPathComponent.hasPrefix(FormerExport.workPrefix)
        }
        if let one = try single(among: folders, of: path) { return [one] }
        let found = try databases(in: folders, of: path)
        guard found.isEmpty else { return found }
        throw ExportError(
            file != nil
                ? "\"\(url.path)\" is an export without Firestore"
                : "there is no export in \"\(path)\": no file \(FirebaseExportFile.name) and none that ends in "
                    + ExportManifest.overallSuffix)
    }

    /// A folder that may not be read would look like an empty one.
    private static func expectReadable(_ url: URL, named path: String) throws(ExportError) {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder else { return }
        do { _ = try FileManager.default.contentsOfDirectory(atPath: url.path) } catch {
            throw ExportError("\"\(path)\" cannot be read: \(SystemError.reason(of: error))")
        }
    }

    /// Where the export of one of several databases is. Names that are no file names are percent-encoded.
    package static func subfolder(of database: DatabaseID) -> String {
        [database.project, database.database].map { PercentEncoding.fileName($0.string) }.joined(separator: "/")
    }

    static func export(at url: URL) -> ExportFolder? {
        if url.lastPathComponent.hasSuffix(ExportManifest.overallSuffix) { return ExportFolder(overall: url) }
        if let file = FirebaseExportFile(in: url) {
            return file.overall.map { ExportFolder(overall: url.appending(path: $0)) }
        }
        return children(of: url).first { $0.lastPathComponent.hasSuffix(ExportManifest.overallSuffix) }
            .map { ExportFolder(overall: $0) }
    }

    /// The export among the folders of a folder. Several, such as those of different days, must not end in one database.
    private static func single(among folders: [URL], of path: String) throws(ExportError) -> ExportFolder? {
        let exports = folders.compactMap { folder in export(at: folder).map { (folder, $0) } }
        guard exports.count > 1 else { return exports.first?.1 }
        let names = exports.prefix(2).map { "\"\(path)/\($0.0.lastPathComponent)\"" }.joined(separator: " and ")
        throw ExportError("\"\(path)\" holds several exports, such as \(names); name the folder of one of them")
    }

    /// The exports two levels below.
    private static func databases(in folders: [URL], of path: String) throws(ExportError) -> [ExportFolder] {
        let inner = folders.flatMap(children(of:))
        let found = inner.filter { FirebaseExportFile(in: $0)?.overall != nil }
        guard !found.isEmpty, let other = inner.first(where: { !found.contains($0) }) else {
            return found.compactMap(export(at:))
        }
        throw ExportError(
            "\"\(path)\" holds exports, and others than exports, such as \"\(other.path)\"; name the folder of one export"
        )
    }

    static func children(of url: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.sorted().map { url.appending(path: $0) }
    }

    /// Makes the folder one that `firebase emulators:start --import` reads.
    package static func writeFirebaseFile(in path: String) throws {
        var file = FirebaseExportFile()
        file.listFirestore()
        try file.write(in: URL(filePath: path))
    }
}

/// Why an export cannot be read or written.
package struct ExportError: Error, Sendable {
    package let message: String
    /// Whether the disk, or what the user may take of it, is full.
    package let isDiskFull: Bool

    package init(_ message: String) {
        self.message = message
        isDiskFull = false
    }

    package init(unwritable path: String, _ error: any Error) {
        message = "\"\(path)\" cannot be written: \(SystemError.reason(of: error))"
        isDiskFull = SystemError(error)?.isDiskFull ?? false
    }
}
