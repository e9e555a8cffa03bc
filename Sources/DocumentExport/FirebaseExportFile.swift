// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import ManagedExport

// Without the rest of Foundation the program is half as large.
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The file by which `firebase emulators:start --import` knows an export. It lists a part for each emulator.
struct FirebaseExportFile {
    static let name = "firebase-export-metadata.json"
    private static let firestore = "firestore"

    private var members: [JSONMember] = []

    /// Nil if the folder has no such file, or one that is no JSON object.
    init?(in folder: URL) {
        guard let data = try? Data(contentsOf: folder.appending(path: FirebaseExportFile.name)),
            let members = try? JSONParser.parse(Array(data)).members
        else { return nil }
        self.members = members
    }

    /// A file that lists no part yet.
    init() {
        members = [JSONMember(key: "version", node: .string("14.0.0"))]
    }

    /// The list of the files of Firestore's part; nil without that part.
    var overall: String? { part(FirebaseExportFile.firestore)?["metadata_file"]?.string }

    /// The folders of the other emulators' parts, such as `auth_export`.
    var otherFolders: Set<String> {
        let paths = members.filter { $0.key != FirebaseExportFile.firestore }.compactMap { $0.node["path"]?.string }
        return Set(paths.compactMap { $0.split(separator: "/").first.map(String.init) })
    }

    /// Adds what Hearth writes, or replaces what was listed.
    mutating func listFirestore() {
        let name = ExportFolder.firestoreName
        removeFirestore()
        members.append(
            JSONMember(
                key: FirebaseExportFile.firestore,
                node: .object([
                    "version": .string("1.19.9"), "path": .string(name),
                    "metadata_file": .string("\(name)/\(name)\(ExportManifest.overallSuffix)"),
                ])))
    }

    mutating func removeFirestore() { members.removeAll { $0.key == FirebaseExportFile.firestore } }

    func write(in folder: URL) throws {
        let text = JSONNode(.object(members)).text(.indented) + "\n"
        try OpenFile.replace(folder.appending(path: FirebaseExportFile.name), Array(text.utf8))
    }

    private func part(_ key: String) -> JSONNode? { members.last { $0.key == key }?.node }
}
