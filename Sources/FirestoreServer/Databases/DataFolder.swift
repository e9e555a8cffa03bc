// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentExport
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import Synchronization

    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// Where the databases' files are: a folder that one server uses at a time, or nowhere a name remains.
    final class DataFolder: Sendable {
        private let path: String
        let isTemporary: Bool
        private let lock: OpenFile
        /// The folders of projects that this server has made.
        private let made = Mutex<Set<String>>([])

        /// Takes a folder, which is created for its owner only. Nil for a temporary one.
        ///
        /// - Throws: ``DataFolderError`` if another server uses it or it cannot be written.
        init(_ chosen: String?) throws(DataFolderError) {
            let temporary = FileManager.default.temporaryDirectory
            path = chosen ?? temporary.appending(path: DataFolder.prefix + UUID().uuidString).path
            isTemporary = chosen == nil
            if let reason = Folders.create(path) {
                throw DataFolderError(message: "the folder \"\(path)\" cannot be created: \(reason)")
            }
            lock = try DataFolder.takeLock(path, note: isTemporary ? DataFolder.temporaryNote : "")
            if isTemporary { DataFolder.removeLeftFolders(beside: path, in: temporary.path) }
        }

        private static let prefix = "hearth-serve-"
        private static let lockName = "/serve.lock"
        /// The second line of a lock file. A folder that somebody has chosen has none, whatever its name.
        private static let temporaryNote = "temporary\n"

        /// Removes the temporary folders of this user's servers that were killed.
        private static func removeLeftFolders(beside own: String, in parent: String) {
            func owner(of path: String) -> AnyHashable? {
                (try? FileManager.default.attributesOfItem(atPath: path))?[.ownerAccountID] as? AnyHashable
            }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
            for name in names where name.hasPrefix(prefix) {
                let folder = "\(parent)/\(name)"
                // A server writes its line when it has the lock, which it keeps as long as it lives.
                guard owner(of: folder) == owner(of: own), text(of: folder).hasSuffix("\n" + temporaryNote),
                    let lock = try? OpenFile(folder + lockName, .update), lock.takeLock()
                else { continue }
                try? FileManager.default.removeItem(atPath: folder)
            }
        }

        /// What the server that has or had a folder wrote of itself: its process, and a note.
        private static func text(of folder: String) -> String {
            (try? String(contentsOfFile: folder + lockName, encoding: .utf8)) ?? ""
        }

        private static func takeLock(_ folder: String, note: String) throws(DataFolderError) -> OpenFile {
            let path = folder + lockName
            let file: OpenFile
            do throws(SystemError) { file = try OpenFile(path, .update) } catch {
                throw DataFolderError(message: "the folder \"\(folder)\" cannot be written: \(error)")
            }
            guard file.takeLock() else {
                let owner = text(of: folder).prefix { !$0.isNewline }
                throw DataFolderError(
                    message: "the folder \"\(folder)\" is used by another hearth serve, "
                        + "process \(owner.isEmpty ? "unknown" : owner); "
                        + "stop it or choose another folder with --data")
            }
            file.clear()
            // Without the line, the next server cannot say who has the folder.
            try? file.append(Array("\(Processes.own)\n\(note)".utf8))
            return file
        }

        deinit { removeIfTemporary() }

        func removeIfTemporary() {
            if isTemporary { try? FileManager.default.removeItem(atPath: path) }
        }

        /// The file of a database, whose folder is created. Names that are no file names are percent-encoded.
        func file(of database: DatabaseID) throws(RequestError) -> String {
            let folder = try self.folder(of: database.project)
            let path = try self.path(of: database)
            let isMade = !Folders.isFolder(folder)
            if let reason = Folders.create(folder) {
                throw RequestError(.resourceExhausted, "The folder of the project cannot be created: \(reason)")
            }
            if isMade { made.withLock { _ = $0.insert(folder) } }
            return path
        }

        /// Whether a database has a file. No folder is created.
        func holds(_ database: DatabaseID) throws(RequestError) -> Bool { DataFolder.exists(try path(of: database)) }

        private func path(of database: DatabaseID) throws(RequestError) -> String {
            let name = try DataFolder.encoded(database.database.string)
            return "\(try folder(of: database.project))/\(name)\(DataFolder.suffix)"
        }

        private func folder(of project: Text) throws(RequestError) -> String {
            "\(path)/\(try DataFolder.encoded(project.string))"
        }

        static func exists(_ file: String) -> Bool { FileManager.default.fileExists(atPath: file) }

        /// Removes the folders of projects that this server has made and that hold nothing.
        func removeEmptyFolders() { made.withLock { $0 = $0.filter { !Folders.removeIfEmpty($0) } } }

        /// Removes the folder of a project of which nobody uses a database, if this server has made it and it holds nothing.
        func removeEmptyFolder(of project: Text) {
            guard let folder = try? self.folder(of: project) else { return }
            made.withLock { made in
                if made.contains(folder), Folders.removeIfEmpty(folder) { made.remove(folder) }
            }
        }

        private static let suffix = ".hearth"

        /// The databases that have a file.
        var databases: [DatabaseID] {
            func names(in folder: String) -> [String] {
                ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
            }
            return names(in: path).flatMap { folder -> [DatabaseID] in
                guard let project = PercentEncoding.decode(folder[...]) else { return [] }
                return names(in: "\(path)/\(folder)").compactMap { file in
                    guard file.hasSuffix(DataFolder.suffix) else { return nil }
                    return PercentEncoding.decode(file.dropLast(DataFolder.suffix.count))
                        .map { DatabaseID(project: Text(project), database: Text($0)) }
                }
            }
        }

        static func encoded(_ name: String) throws(RequestError) -> String {
            let encoded = PercentEncoding.fileName(name)
            guard encoded.utf8.count <= 200 else {
                throw .invalid("The ID of a project or database is too long: \"\(name.prefix(100))\"…")
            }
            return encoded
        }
    }

    /// Why a folder cannot be used.
    package struct DataFolderError: Error, Sendable {
        package let message: String
    }
#endif
