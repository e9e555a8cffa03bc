// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// What a `firebase.json` says about Firestore.
struct FirebaseFile {
    /// The index files by database ID.
    private(set) var indexes: [Text: String] = [:]
    /// The files of security rules by database ID.
    private(set) var rules: [Text: String] = [:]
    /// Where the emulator should listen.
    private(set) var host: String?
    private(set) var port: Int?

    init(_ path: String) throws(CommandFailure) {
        let root: JSONNode
        let source = try InputFile.contents(path)
        do {
            root = try JSONParser.parse(source, .withComments)
        } catch {
            throw CommandFailure("\"\(path)\" is not valid JSON: \(error.message)")
        }
        // One database, or an array of several.
        let entries = root["firestore"].map { $0.elements ?? [$0] } ?? []
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
        for entry in entries {
            let database = Text(entry["database"]?.string ?? "(default)")
            if let file = entry["indexes"]?.string { indexes[database] = folder + file }
            if let file = entry["rules"]?.string { rules[database] = folder + file }
        }
        let emulator = root["emulators"]?["firestore"]
        host = emulator?["host"]?.string
        port = emulator?["port"]?.number?.int64.flatMap { Int(exactly: $0) }
        if let port, !(0...65_535).contains(port) {
            throw CommandFailure("\"\(path)\" has a port beyond 65535: emulators.firestore.port is \(port)")
        }
    }
}
