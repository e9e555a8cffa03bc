// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreServer
    internal import IndexCatalog

    /// The index files and rules of a server, which are read again when they change.
    final class ServedFiles {
        let source = IndexSource()
        let rules: ServedRulesFiles
        let firebase: FirebaseFile?
        private(set) var address = ""
        /// The address of the requests' feed; nil without one.
        private var feed: String?
        private var isLocal = true
        private let common: String?
        private let byDatabase: [Text: String]
        private var times: [Int64] = []

        /// - Parameters:
        ///   - indexes: the index file of all databases; nil to look into the working folder.
        ///   - rules: the rules of all databases; nil for those of `firebase.json`.
        init(indexes: String?, rules: String?) throws {
            firebase = System.exists("firebase.json") ? try FirebaseFile("firebase.json") : nil
            try ServedFiles.expectStandard(firebase)
            if let indexes {
                common = indexes
                byDatabase = [:]
            } else if let firebase, !firebase.indexes.isEmpty {
                common = nil
                byDatabase = firebase.indexes
            } else {
                common = System.exists(ConfigurationFile.usualName) ? ConfigurationFile.usualName : nil
                byDatabase = [:]
            }
            self.rules = try ServedRulesFiles(rules, byDatabase: firebase?.rules ?? [:])
            try read()
        }

        /// A database of another edition answers otherwise. As for commands that check index files, what `.hearth.json` says is stronger.
        private static func expectStandard(_ firebase: FirebaseFile?) throws(CommandFailure) {
            guard let edition = try RuleSettings.read(nil).edition else {
                if let failure = firebase?.editionFailure { throw failure }
                return
            }
            guard edition != .standard else { return }
            throw CommandFailure("\"\(RuleSettings.usualFile)\": \(edition.refusal)")
        }

        func listens(at host: String, _ port: Int, feedPort: Int?) {
            isLocal = ["localhost", "127.0.0.1", "::1"].contains(host)
            let name = host.contains(":") ? "[\(host)]" : host
            address = "\(name):\(port)"
            feed = feedPort.map { "ws://\(name):\($0)/requests" }
        }

        /// Where the indexes come from, and what is noteworthy about the address.
        var announcement: [String] {
            var lines = paths.map { "Indexes: \($0)" }
            if paths.isEmpty {
                let reason =
                    firebase == nil
                    ? "no firebase.json or firestore.indexes.json is here"
                    : "firebase.json names no index file, and no firestore.indexes.json is here"
                lines.append("Indexes: automatic ones only; \(reason)")
            }
            lines += rules.announcement
            if let feed { lines.append("Requests for the Emulator UI: \(feed)") }
            if !isLocal {
                lines.append("Warning: everyone who reaches this address can read and write the data")
            }
            return lines
        }

        private var paths: [String] { ([common].compactMap(\.self) + byDatabase.values.sorted()) }

        private func read() throws {
            times = paths.map(System.modificationTime)
            var configurations: [Text: IndexConfiguration] = [:]
            for (database, path) in byDatabase {
                configurations[database] = try configuration(path)
            }
            source.replace(try common.map(configuration), byDatabase: configurations)
        }

        private func configuration(_ path: String) throws -> IndexConfiguration {
            let file = try ConfigurationFile.valid(path)
            file.warnOfContradictions()
            return file.configuration
        }

        /// A file with errors changes nothing.
        func readAgainIfChanged(_ server: HearthServer) {
            rules.readAgainIfChanged()
            guard times != paths.map(System.modificationTime) else { return }
            do {
                try read()
                server.applyIndexes()
                Diagnostics.write("hearth: the index file was read again")
            } catch let failure as CommandFailure {
                Diagnostics.write("hearth: \(failure.message); the last good one remains in force")
            } catch {
                Diagnostics.write("hearth: the index file cannot be read; the last good one remains in force")
            }
        }
    }
#endif
