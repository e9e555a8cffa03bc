// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
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
    /// Why a server cannot stand for the databases; nil if all are of the Standard edition.
    private(set) var editionFailure: CommandFailure?

    /// - Throws: also if a member that is read has another type: without its rules everything would be allowed.
    init(_ path: String) throws(CommandFailure) {
        let source = try InputFile.contents(path)
        do {
            let root = try JSONParser.parse(source, .withComments)
            let project = FirebaseProject(root)
            try read(root, project, folder: InputFile.folder(of: path))
            editionFailure = FirebaseFile.otherEdition(project).map { FirebaseFile.failure($0, path, source) }
        } catch let error as JSONSyntaxError {
            throw CommandFailure("\"\(path)\" is not valid JSON: \(error.message)")
        } catch let error as WrongMember {
            throw FirebaseFile.failure(error, path, source)
        } catch {
            throw CommandFailure("\"\(path)\" cannot be read")
        }
    }

    private mutating func read(_ root: JSONNode, _ project: FirebaseProject, folder: String) throws {
        try FirebaseFile.expect(root, root.members != nil, "a firebase.json", "an object")
        let fatal = ["wrong-type", "repeated-database"]
        if let finding = project.findings.first(where: { fatal.contains($0.rule.id) }) {
            throw WrongMember(offset: finding.offset, message: finding.message)
        }
        for database in project.databases {
            if database.isTarget, project.databases.count > 1 {
                throw WrongMember(
                    offset: database.offset,
                    message:
                        "a database has a \"target\" only, so that its rules and indexes cannot be told from those of "
                        + "the others: add \"database\", its ID")
            }
            if let file = database.indexes { indexes[database.id] = folder + file }
            if let file = database.rules { rules[database.id] = folder + file }
        }
        guard let emulators = root["emulators"] else { return }
        try FirebaseFile.expect(emulators, emulators.members != nil, "\"emulators\"", "an object")
        guard let emulator = emulators["firestore"] else { return }
        try FirebaseFile.expect(emulator, emulator.members != nil, "\"emulators.firestore\"", "an object")
        host = try FirebaseFile.string("host", of: emulator, "emulators.firestore")
        guard let node = emulator["port"] else { return }
        // The Firebase CLI takes digits in quotation marks, too.
        port = node.number?.int64.flatMap { Int(exactly: $0) } ?? node.string.flatMap { Int($0) }
        let isPort = port.map { (0...65_535).contains($0) } ?? false
        try FirebaseFile.expect(node, isPort, "\"port\" of \"emulators.firestore\"", "a number from 0 to 65535")
    }

    private static func otherEdition(_ project: FirebaseProject) -> WrongMember? {
        if let finding = project.findings.first(where: { $0.rule.id == "bad-enum" }) {
            return WrongMember(offset: finding.offset, message: finding.message)
        }
        return project.databases.first { $0.edition != .standard }.map { database in
            WrongMember(offset: database.offset, message: database.edition.refusal)
        }
    }

    private static func failure(_ member: WrongMember, _ path: String, _ source: [UInt8]) -> CommandFailure {
        let line = LineMap(source).position(of: member.offset).line
        return CommandFailure("\"\(path)\":\(line): \(member.message)")
    }

    private static func string(_ key: String, of node: JSONNode, _ name: String) throws(WrongMember) -> String? {
        guard let value = node[key] else { return nil }
        try expect(value, value.string != nil, "\"\(key)\" of \"\(name)\"", "a string")
        return value.string
    }

    private static func expect(
        _ node: JSONNode, _ isRight: Bool, _ what: String, _ kind: String
    ) throws(WrongMember) {
        guard !isRight else { return }
        let found = node.members != nil || node.elements != nil ? node.kind : node.text()
        throw WrongMember(offset: node.offset, message: "\(what) must be \(kind), not \(found)".boundedMessage)
    }

    private struct WrongMember: Error {
        let offset: Int
        let message: String
    }
}
