// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// The folder into which a server writes its databases when it ends.
    package struct DatabaseExports: Sendable {
        private let folder: URL

        /// - Throws: ``ExportError`` if the folder has other files, which would be lost.
        package init(_ path: String) throws(ExportError) {
            guard ExportFolder.isExportOrEmpty(path) else {
                throw ExportError("\"\(path)\" holds other files than an export; choose another folder for the export")
            }
            folder = URL(filePath: path).standardizedFileURL
        }

        /// Writes each database that has documents, in the form of `firebase emulators:export`. A single one is in the folder itself,
        /// several are in `PROJECT/DATABASE`. The folder's former export is replaced at the end.
        ///
        /// - Returns: a line for each database.
        func write(_ databases: [ServedDatabase]) throws -> [String] {
            let files = FileManager.default
            let parent = folder.deletingLastPathComponent()
            let unique = "\(folder.lastPathComponent).\(UUID().uuidString)"
            let (new, old) = (parent.appending(path: unique + ".new"), parent.appending(path: unique + ".old"))
            defer { for url in [new, old] { try? files.removeItem(at: url) } }
            try files.createDirectory(
                at: new, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let lines = try write(try databases.filter { try !$0.isEmpty() }, to: new)
            if files.fileExists(atPath: folder.path) { try files.moveItem(at: folder, to: old) }
            try files.moveItem(at: new, to: folder)
            return lines
        }

        private func write(_ databases: [ServedDatabase], to url: URL) throws -> [String] {
            var lines: [String] = []
            for database in databases {
                var target = url
                var shown = folder
                if databases.count > 1 {
                    for id in [database.id.project, database.id.database] {
                        let name = try DataFolder.encoded(id.string)
                        target.append(path: name)
                        shown.append(path: name)
                    }
                }
                let count = try database.export(to: target.appending(path: ExportFolder.firestoreName))
                try ExportFolder.writeFirebaseFile(in: target)
                lines.append(
                    "\(count) document\(count == 1 ? "" : "s") of \(database.id.resourceName) exported to \(shown.path)"
                )
            }
            return lines
        }
    }

    extension ServedDatabase {
        fileprivate func isEmpty() throws -> Bool { try engine.collectionIDs(under: nil).isEmpty }
    }
#endif
