// SPDX-License-Identifier: Apache-2.0

// Without the rest of Foundation the program is half as large.
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The folder that an export is written into.
package struct ExportDestination: Sendable {
    /// The folder's absolute path.
    package let path: String

    /// - Throws: ``ExportError`` if the folder has other files, which would be lost.
    package init(_ path: String) throws(ExportError) {
        guard ExportFolder.isExportOrEmpty(path) else {
            throw ExportError("\"\(path)\" holds other files than an export; choose another folder for the export")
        }
        self.path = URL(filePath: path).standardizedFileURL.path
    }

    /// Replaces the folder's former export by what `body` writes into the folder that it is told. If `body` throws, the former
    /// export remains.
    package func replace<Result>(_ body: (_ folder: String) throws -> Result) throws -> Result {
        let files = FileManager.default
        let folder = URL(filePath: path)
        let parent = folder.deletingLastPathComponent()
        let unique = "\(folder.lastPathComponent).\(UUID().uuidString)"
        let (new, old) = (parent.appending(path: unique + ".new"), parent.appending(path: unique + ".old"))
        defer { for url in [new, old] { try? files.removeItem(at: url) } }
        try files.createDirectory(
            at: new, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let result = try body(new.path)
        if files.fileExists(atPath: folder.path) { try files.moveItem(at: folder, to: old) }
        try files.moveItem(at: new, to: folder)
        return result
    }
}
