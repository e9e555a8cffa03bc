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

    /// This folder if no export of Firestore is in it yet, else a new one beside it: for an export that lacks what the former one may
    /// have the last copy of.
    package func besideFormer() throws(ExportError) -> ExportDestination {
        guard try !isWithoutExport(at: path) else { return self }
        var (beside, count) = ("\(path)-incomplete", 1)
        while FileManager.default.fileExists(atPath: beside) {
            count += 1
            beside = "\(path)-incomplete-\(count)"
        }
        return try ExportDestination(beside)
    }

    /// Replaces the folder's former export by what `body` writes into the folder that it is told. If `body` throws, the former
    /// export remains. After a power cut one of them is whole, between the two moves in the work folder.
    package func replace<Result>(_ body: (_ folder: String) throws -> Result) throws -> Result {
        let folder = URL(filePath: path)
        return try ExportDestination.exchange(in: folder, body) { new, work in
            let former = try FormerExport(in: folder, named: path, except: work)
            try former.listOthers(in: new)
            return Moves(former: former.replaced, next: ExportFolder.children(of: new), target: folder)
        }
    }

    /// Adds a folder with what `body` writes to a folder that exists: into the folder that `body` is told, which has the same name. If
    /// there is a folder of this name, the files go into it, and other files remain in it, as in the emulator's exports. If `body`
    /// throws, nothing has changed.
    ///
    /// - Throws: ``ExportError`` if the folder cannot be written.
    package static func add<Result>(
        _ name: String, to folder: String, _ body: (_ folder: String) throws -> Result
    ) throws -> Result {
        let folder = URL(filePath: folder)
        let target = folder.appending(path: name)
        do {
            return try exchange(in: folder, { try body("\($0)/\(name)") }) { new, _ in
                guard FileManager.default.fileExists(atPath: target.path) else {
                    return Moves(former: [], next: ExportFolder.children(of: new), target: folder)
                }
                let next = ExportFolder.children(of: new.appending(path: name))
                let names = next.map(\.lastPathComponent)
                let former = ExportFolder.children(of: target).filter { names.contains($0.lastPathComponent) }
                return Moves(former: former, next: next, target: target)
            }
        } catch let error as CocoaError {
            throw ExportError(unwritable: target.path, error)
        }
    }

    private struct Moves {
        /// What is moved away.
        let former: [URL]
        /// What is moved to the target.
        let next: [URL]
        let target: URL
    }

    /// - Parameter moves: called when all is written, in the folder `new` of the folder `work`.
    private static func exchange<Result>(
        in folder: URL, _ body: (_ folder: String) throws -> Result,
        _ moves: (_ new: URL, _ work: URL) throws -> Moves
    ) throws -> Result {
        let work = try makeWorkFolder(in: folder)
        let (new, old) = (work.appending(path: "new"), work.appending(path: "old"))
        defer {
            try? FileManager.default.removeItem(at: new)
            // Otherwise the former export is in it, and could not be put back.
            if ExportFolder.children(of: old).isEmpty { try? FileManager.default.removeItem(at: work) }
        }
        for url in [new, old] { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }
        let result = try body(new.path)
        let moves = try moves(new, work)
        try synchronize(allIn: new)
        try move(moves.former, to: old, then: moves.next, to: moves.target)
        try synchronize(moves.target)
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
