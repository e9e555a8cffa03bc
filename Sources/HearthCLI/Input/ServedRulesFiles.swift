// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreServer
    internal import SecurityRules

    /// The files of security rules of a server, which are read again when they change.
    final class ServedRulesFiles {
        let source = RulesSource()
        private let common: String?
        private let byDatabase: [Text: String]
        private var times: [Int64] = []

        /// - Parameters:
        ///   - common: the file of all databases; nil for one file for each.
        ///   - byDatabase: the files by database ID, which count if there is no common one.
        /// - Throws: ``CommandFailure`` with the last error's place if a file does not compile. The others are printed.
        init(_ common: String?, byDatabase: [Text: String]) throws(CommandFailure) {
            self.common = common
            self.byDatabase = common == nil ? byDatabase : [:]
            try read()
        }

        /// Where the rules come from.
        var announcement: [String] {
            paths.isEmpty ? ["Rules: none, so that everything is allowed"] : paths.map { "Rules: \($0)" }
        }

        private var paths: [String] { [common].compactMap(\.self) + byDatabase.values.sorted() }

        private func read() throws(CommandFailure) {
            times = paths.map(System.modificationTime)
            var compiled: [Text: ServedRules] = [:]
            for (database, path) in byDatabase { compiled[database] = try ServedRulesFiles.compile(path) }
            var all: ServedRules?
            if let common { all = try ServedRulesFiles.compile(common) }
            source.replace(all, byDatabase: compiled)
        }

        private static func compile(_ path: String) throws(CommandFailure) -> ServedRules {
            let file = try RulesFile(path)
            let (rules, issues) = RuleSet.compile(file.text, refusesOtherServices: true)
            for issue in issues where issue.severity == .warning {
                Diagnostics.write("hearth: \(place(issue, in: path)): warning: \(issue.text)")
            }
            guard let rules else {
                let errors = issues.filter { $0.severity == .error }.map { "\(place($0, in: path)): \($0.text)" }
                // A line for each; the caller prints the last one.
                for error in errors.dropLast() { Diagnostics.write("hearth: \(error)") }
                throw CommandFailure(errors.last ?? "\"\(path)\" does not compile")
            }
            return ServedRules(name: path, text: file.text, rules: rules)
        }

        private static func place(_ issue: RuleIssue, in path: String) -> String {
            issue.position.map { "\(path):\($0.line):\($0.column)" } ?? path
        }

        /// A file with errors changes nothing.
        func readAgainIfChanged() {
            guard times != paths.map(System.modificationTime) else { return }
            do throws(CommandFailure) {
                try read()
                Diagnostics.write("hearth: the rules were read again")
            } catch {
                Diagnostics.write("hearth: \(error.message); the last good rules remain in force")
            }
        }
    }
#endif
