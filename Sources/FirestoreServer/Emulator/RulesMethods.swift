// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import QueryPlanner
    internal import SecurityRules

    extension EmulatorMethods {
        /// The rules of a database with the names of their files.
        func showRules(_ id: DatabaseID, _ responder: HTTPResponder) throws(RequestError) {
            let files = rules.rules(of: id)?.files
            let shown = files?.map { ($0.name, $0.text) } ?? [("OPEN_RULES", EmulatorMethods.openRules)]
            try responder.sendObject { (writer) throws(RequestError) in
                writer.key("rules")
                writer.beginObject()
                writer.key("files")
                writer.beginArray()
                for (name, text) in shown {
                    writer.beginObject()
                    writer.write("content", text)
                    writer.write("name", name)
                    writer.endObject()
                }
                writer.endArray()
                writer.endObject()
                EmulatorMethods.writeIssues(of: files ?? [], to: &writer)
            }
        }

        /// Sets the rules of a database: `{"rules":{"files":[{"name":"…","content":"…"}]}}`. Rules with errors change nothing, unless the
        /// request ignores them: then they refuse every other one.
        func setRules(_ id: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder) throws(RequestError) {
            let object = try request.object(keys: ["rules", "ignoreErrors"])
            let files = try object.member("rules", keys: ["files"])?.list("files") ?? []
            guard files.first?["content"]?.string != nil else {
                throw .invalid("The body has no rules: {\"rules\":{\"files\":[{\"content\":\"…\"}]}}.")
            }
            let served = ServedRules(
                compiling: files.map { (name: $0["name"]?.string ?? "", text: $0["content"]?.string ?? "") })
            if object["ignoreErrors"]?.boolean != true { _ = try served.compiled.get() }
            try rules.set(served, of: id)
            try responder.sendObject { (writer) throws(RequestError) in
                EmulatorMethods.writeIssues(of: served.files, to: &writer)
            }
        }

        private static func writeIssues(of files: [ServedRules.File], to writer: inout JSONWriter) {
            guard files.contains(where: { !$0.issues.isEmpty }) else { return }
            writer.key("issues")
            writer.beginArray()
            for (index, file) in files.enumerated() where !file.issues.isEmpty {
                let offsets = IssueOffsets(file.text)
                for issue in file.issues { writer.write(issue, in: file.name, index, offsets) }
            }
            writer.endArray()
        }

        /// What the emulator shows where no rules were set.
        private static let openRules = """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                match /{document=**} {
                  allow read, write: if true;
                }
              }
            }
            """
    }

    extension JSONWriter {
        fileprivate mutating func write(_ issue: RuleIssue, in file: String, _ index: Int, _ offsets: IssueOffsets) {
            beginObject()
            key("sourcePosition")
            beginObject()
            if !file.isEmpty { write("fileName", file) }
            if index > 0 {
                key("fileIndex")
                integer(Int64(index))
            }
            if let position = issue.position {
                key("line")
                integer(Int64(position.line))
                key("column")
                integer(Int64(position.column))
                let (first, last) = offsets.offsets(at: position)
                key("currentOffset")
                integer(Int64(first))
                key("endOffset")
                integer(Int64(last))
            }
            endObject()
            write("description", issue.text)
            write("severity", issue.severity.rawValue)
            endObject()
        }
    }
#endif
