// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import DocumentModel
    internal import JSONText

    /// What a pull has read, beside the database: so an interrupted pull goes on where it was.
    ///
    /// The first line names the database, its server and the time of the pull; each other one is a document in the lossless
    /// form, in the order of names.
    struct PullSpool {
        private let path: String
        private let database: DatabaseID
        /// The state that is read.
        let time: Timestamp
        private var documents: NDJSONReader?
        private var writer: JSONWriter
        private let descriptor: Int32

        static func path(of database: String) -> String { database + ".pull" }

        /// Begins one, instead of any other.
        init(_ path: String, of database: DatabaseID, from server: String, at time: Timestamp) throws {
            (self.path, self.database, self.time) = (path, database, time)
            writer = JSONWriter()
            let head = JSONNode.object([
                "database": .string(database.resourceName), "server": .string(server),
                "readTime": .string(time.description),
            ])
            descriptor = try PullSpool.named(path) { () throws(System.Failure) in
                try System.replaceFile(path, Array((head.text() + "\n").utf8), mode: 0o600)
                return try System.openForAppending(path, mode: 0o600)
            }
        }

        /// Goes on with one; nil if there is none, or another one that has read nothing, as of a mistyped project.
        ///
        /// - Throws: if it has documents of another database or from another server, or cannot be read.
        init?(continuing path: String, of database: DatabaseID, from server: String) throws {
            guard System.exists(path) else { return nil }
            try PullSpool.named(path) { () throws(System.Failure) in try System.cutLastLine(path) }
            var lines = try InputFile(path).lines()
            try lines.begin()
            guard case .bytes(let range)? = try lines.next(),
                let head = try? JSONParser.parse(Array(lines.buffer[range])),
                let name = head["database"]?.string, let origin = head["server"]?.string,
                let time = head["readTime"]?.string.flatMap({ Timestamp(rfc3339: $0) })
            else { throw CommandFailure("\"\(path)\" is no interrupted pull. Move it away to pull") }
            guard name == database.resourceName, origin == server else {
                guard try lines.next() != nil else { return nil }
                throw CommandFailure(
                    "\"\(path)\" is an interrupted pull of \(name) from \(origin). If that pull is not to go on, remove the file to "
                        + "pull \(database.resourceName) from \(server)")
            }
            (self.path, self.database, self.time) = (path, database, time)
            writer = JSONWriter()
            documents = NDJSONReader(lines, database: database, plain: nil)
            descriptor = try PullSpool.named(path) { () throws(System.Failure) in
                try System.openForAppending(path, mode: 0o600)
            }
        }

        /// The next document of the pull that was interrupted; nil after the last.
        mutating func next() throws -> (path: DocumentPath, fields: Fields)? {
            switch try documents?.next() {
            case nil:
                documents = nil
                return nil
            case .document(let path, let fields): return (path, fields)
            case .refused(let refusal):
                throw CommandFailure(
                    "\"\(path)\" is damaged in line \(refusal.line): \(refusal.reason). Remove it to begin anew")
            }
        }

        mutating func append(_ documents: [(path: DocumentPath, fields: Fields)]) throws {
            var bytes: [UInt8] = []
            for document in documents {
                DocumentJSON.write(document.path, document.fields, to: &writer, database: database)
                bytes += writer.bytes
                bytes.append(UInt8(ascii: "\n"))
                writer.removeAll()
            }
            try PullSpool.named(path) { () throws(System.Failure) in try System.writeAll(descriptor, bytes) }
        }

        /// All of it is in the database.
        func remove() {
            System.closeFile(descriptor)
            System.removeFile(path)
        }

        private static func named<R>(_ path: String, _ body: () throws(System.Failure) -> R) throws -> R {
            do throws(System.Failure) { return try body() } catch {
                throw CommandFailure("\"\(path)\" cannot be written: \(error.reason)")
            }
        }
    }
#endif
