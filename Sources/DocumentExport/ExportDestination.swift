// SPDX-License-Identifier: Apache-2.0

// Without the rest of Foundation the program is half as large.
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The folder that an export is written into. It may hold an export, and other emulators' parts of it, which remain.
package struct ExportDestination: Sendable {
    /// The folder's absolute path.
    package let path: String

    /// Creates the folder if it is missing.
    ///
    /// - Throws: ``ExportError`` if the folder has other files, or if it cannot be written, which would be too late to know when
    ///   there is something to export.
    package init(_ path: String) throws(ExportError) {
        let folder = URL(filePath: path).standardizedFileURL
        self.path = folder.path
        _ = try FormerExport(in: folder, named: path)
        do {
            try FileManager.default.removeItem(at: try ExportDestination.makeWorkFolder(in: folder))
        } catch {
            throw ExportError(unwritable: path, error)
        }
    }

    /// Whether a path is this folder's, and no export of Firestore is in the folder yet. An export that a killed process has left
    /// whole or half exchanged counts as one, so that nothing replaces it; what it had not written to its end does not.
    package func isWithoutExport(at path: String) throws(ExportError) -> Bool {
        let folder = URL(filePath: self.path)
        guard URL(filePath: path).standardizedFileURL.path == self.path else { return false }
        return try FormerExport(in: folder, named: path).isWithoutFirestore
    }

    /// Replaces the folder's former export by what `body` writes into the folder that it is told. If `body` throws, the former
    /// export remains. After a power cut one of them is whole, between the two moves in the work folder.
    package func replace<Result>(_ body: (_ folder: String) throws -> Result) throws -> Result {
        let folder = URL(filePath: path)
        let work = try ExportDestination.makeWorkFolder(in: folder)
        let (new, old) = (work.appending(path: "new"), work.appending(path: "old"))
        defer {
            try? FileManager.default.removeItem(at: new)
            // Otherwise the former export is in it, and could not be put back.
            if ExportFolder.children(of: old).isEmpty { try? FileManager.default.removeItem(at: work) }
        }
        for url in [new, old] { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }
        let result = try body(new.path)
        let former = try FormerExport(in: folder, named: path, except: work)
        try former.listOthers(in: new)
        try ExportDestination.synchronize(allIn: new)
        try ExportDestination.move(former.replaced, to: old, then: ExportFolder.children(of: new), to: folder)
        try ExportDestination.synchronize(folder)
        try? FileManager.default.removeItem(at: old)
        return result
    }

    /// Its files are on the destination's disk, so that they are moved in one step.
    private static func makeWorkFolder(in folder: URL) throws -> URL {
        let work = folder.appending(path: FormerExport.workPrefix + UUID().uuidString)
        try FileManager.default.createDirectory(
            at: work, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return work
    }

    private static func synchronize(allIn folder: URL) throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            try synchronize(folder.appending(path: path))
        }
        try synchronize(folder)
    }

    private static func synchronize(_ place: URL) throws {
        do throws(SystemError) { try OpenFile(place.path, .read).synchronize() } catch {
            throw ExportError(unwritable: place.path, error)
        }
    }

    /// Moves all, or nothing.
    private static func move(_ former: [URL], to old: URL, then next: [URL], to folder: URL) throws {
        var moved: [(from: URL, to: URL)] = []
        do {
            for (urls, target) in [(former, old), (next, folder)] {
                for url in urls {
                    let place = target.appending(path: url.lastPathComponent)
                    try FileManager.default.moveItem(at: url, to: place)
                    moved.append((url, place))
                }
            }
        } catch {
            for (from, to) in moved.reversed() { try? FileManager.default.moveItem(at: to, to: from) }
            throw error
        }
    }
}
