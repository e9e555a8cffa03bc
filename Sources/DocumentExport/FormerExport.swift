// SPDX-License-Identifier: Apache-2.0

internal import ManagedExport

// Without the rest of Foundation the program is half as large.
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What the destination of an export holds.
struct FormerExport {
    /// Begins the name of a folder in which an export is prepared. One that remains is of a process that was killed.
    static let workPrefix = ".hearth-export-"

    /// The files and folders that Hearth writes.
    private(set) var replaced: [URL] = []
    /// The list of the parts; nil if there is none.
    private let file: FirebaseExportFile?

    /// - Throws: ``ExportError`` if the folder holds anything else than an export: it would be lost.
    init(in folder: URL, named path: String, except work: URL? = nil) throws(ExportError) {
        file = FirebaseExportFile(in: folder)
        let others = file?.otherFolders ?? []
        for name in try FormerExport.names(in: folder, named: path) where name != work?.lastPathComponent {
            let url = folder.appending(path: name)
            if FormerExport.isWritten(url, isList: file != nil) {
                replaced.append(url)
            } else if !others.contains(name) {
                throw ExportError(
                    "\"\(path)\" holds other files than an export; choose another folder, or move \"\(name)\" away")
            }
        }
    }

    /// Whether it is empty, or has the parts of other emulators alone. An export that was killed while it was written counts for
    /// nothing.
    var isWithoutFirestore: Bool {
        replaced.allSatisfy { $0.lastPathComponent == FirebaseExportFile.name || FormerExport.isUnfinished($0) }
            && file?.overall == nil
    }

    /// Whether a folder in which an export was prepared has neither a former export nor a whole new one.
    private static func isUnfinished(_ work: URL) -> Bool {
        guard work.lastPathComponent.hasPrefix(workPrefix) else { return false }
        let paths = try? FileManager.default.subpathsOfDirectory(atPath: work.path)
        // The file of an export that is written last.
        return paths?.allSatisfy { $0 == "old" || !$0.hasPrefix("old") && !$0.hasSuffix(ExportManifest.overallSuffix) }
            ?? false
    }

    /// Lists the other emulators' parts beside that of Firestore, if the new export has one.
    func listOthers(in new: URL) throws {
        guard var file, !file.otherFolders.isEmpty else { return }
        if FirebaseExportFile(in: new) == nil { file.removeFirestore() } else { file.listFirestore() }
        try file.write(in: new)
    }

    private static func names(in folder: URL, named path: String) throws(ExportError) -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        } catch {
            throw ExportError(unwritable: path, error)
        }
    }

    /// Whether an entry of the destination is one that Hearth writes.
    private static func isWritten(_ url: URL, isList: Bool) -> Bool {
        switch url.lastPathComponent {
        case FirebaseExportFile.name: isList
        case ExportFolder.firestoreName: isFirestoreExport(url)
        case let name where name.hasPrefix(workPrefix): true
        default: isProject(url)
        }
    }

    /// Whether a folder holds exports of databases of the project that it is named after, and nothing else.
    private static func isProject(_ url: URL) -> Bool {
        let databases = ExportFolder.children(of: url)
        return !databases.isEmpty
            && databases.allSatisfy { folder in
                let inner = ExportFolder.children(of: folder)
                let names = [FirebaseExportFile.name, ExportFolder.firestoreName]
                guard inner.map(\.lastPathComponent) == names, isFirestoreExport(inner[1]),
                    let export = ExportFolder.export(at: folder),
                    let database = (try? ExportedDocuments(export))?.database
                else { return false }
                return ExportFolder.subfolder(of: database)
                    == "\(url.lastPathComponent)/\(folder.lastPathComponent)"
            }
    }

    private static func isFirestoreExport(_ url: URL) -> Bool {
        let folders = ExportManifest.partFolder.split(separator: "/").map(String.init)
        guard let paths = try? FileManager.default.subpathsOfDirectory(atPath: url.path) else { return false }
        return !paths.isEmpty
            && paths.allSatisfy { path in
                let name = path.split(separator: "/").last.map(String.init) ?? ""
                return folders.contains(name) || name.hasPrefix("output-")
                    || name.hasSuffix(ExportManifest.overallSuffix) || name == ExportManifest.partName
            }
    }
}
