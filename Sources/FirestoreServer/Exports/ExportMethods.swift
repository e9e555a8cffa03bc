// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentExport
    internal import DocumentModel
    internal import FirestoreProtocol

    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension EmulatorMethods {
        /// Writes a database's documents into a new folder of an existing one, as `firebase emulators:export` asks for.
        func export(_ id: DatabaseID?, _ request: HTTPRequest, _ responder: HTTPResponder) async throws {
            let object = try request.object(keys: ["database", "exportDirectory", "exportName"])
            let database = try await service.databases.database(try object.database(or: id))
            let folder = URL(filePath: try object.text("exportDirectory") ?? "")
            guard Folders.isFolder(folder.path) else {
                throw RequestError(.failedPrecondition, "export_directory must be a directory")
            }
            let chosen = try object.text("exportName") ?? ""
            guard !chosen.contains("/"), ![".", ".."].contains(chosen) else {
                throw RequestError.invalid("export_name is the name of a folder, without a slash.")
            }
            let seconds = service.databases.clock.now.microseconds / 1_000_000
            let name = chosen.isEmpty ? "\(ExportFolder.firestoreName)_\(seconds)" : chosen
            try await onThread {
                _ = try ExportDestination.add(name, to: folder.path) { path in
                    try database.engine.export(as: database.id, to: path)
                }
            }
            responder.sendEmptyObject()
        }

        /// Loads an export into a database.
        func importDocuments(_ id: DatabaseID?, _ request: HTTPRequest, _ responder: HTTPResponder) async throws {
            let object = try request.object(keys: ["database", "exportDirectory"])
            let database = try await service.databases.database(try object.database(or: id))
            let path = try object.text("exportDirectory") ?? ""
            try await onThread {
                let folders = try ExportFolder.all(at: path)
                guard folders.count == 1 else {
                    throw RequestError.invalid(
                        "export_directory holds several exports; name the folder of one of them.")
                }
                _ = try database.engine.load(ExportedDocuments(folders[0]))
            }
            responder.sendEmptyObject()
        }
    }
#endif
