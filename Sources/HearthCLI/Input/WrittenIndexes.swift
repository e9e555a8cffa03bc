// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreServer
    internal import IndexCatalog
    internal import JSONText
    internal import QueryPlanner

    /// The file of `--write-indexes`.
    struct WrittenIndexes {
        let path: String

        /// - Throws: if the file could not be edited or written at the end, when the queries would be lost.
        init(_ path: String) throws {
            self.path = path
            _ = try edited()
            try OutputFile.tryReplacing(path)
        }

        /// Adds what the queries lack to the file, and keeps everything else in it. A new file is the smallest that serves them.
        ///
        /// It is the file of one database: the default one if it was asked, else the first. Projects share it.
        ///
        /// - Returns: the other databases whose queries lack indexes.
        func write(_ advice: [ServerAdvice]) throws -> [ServerAdvice] {
            let asked = advice.filter { !$0.smallest.isEmpty || $0.file != nil }
            let name = (asked.first { $0.database.database == "(default)" } ?? asked.first)?.database.database
            let own = asked.filter { $0.database.database == name }
            let file = try edited()
            var source =
                file?.source ?? ConfigurationFile.canonical(own.first?.smallest ?? IndexConfiguration())
            for advice in own {
                do {
                    source = try advice.advisor.edited(source).source
                } catch {
                    throw CommandFailure("\"\(path)\" cannot be edited: \(error.message)")
                }
            }
            if source != file?.source { try OutputFile.replace(path, source) }
            return asked.filter { $0.database.database != name && !$0.missing.isEmpty }
        }

        /// Nil if a new file is made.
        private func edited() throws -> ConfigurationFile? {
            guard System.isRegularFile(path) else { return nil }
            let file = try ConfigurationFile.valid(path)
            try file.expectEditable()
            return file
        }
    }
#endif
