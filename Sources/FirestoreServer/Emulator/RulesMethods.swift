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
            let files = rules.rules(of: id).map { [$0] + $0.others }
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
                EmulatorMethods.write((files ?? []).map { ($0.name, $0.rules.issues) }, to: &writer)
            }
        }

        /// Sets the rules of a database: `{"rules":{"files":[{"name":"…","content":"…"}]}}`. Rules with errors change nothing. As in the
        /// emulator, all files must compile, and the first one decides.
        func setRules(_ id: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder) throws(RequestError) {
            let object = try request.object(keys: ["rules", "ignoreErrors"])
            let files = try object.member("rules", keys: ["files"])?.list("files") ?? []
            guard files.first?["content"]?.string != nil else {
                throw .invalid("The body has no rules: {\"rules\":{\"files\":[{\"content\":\"…\"}]}}.")
            }
            var compiled: [ServedRules] = []
            var issues: [(file: String, issues: [RuleIssue])] = []
            for file in files {
                let (name, text) = (file["name"]?.string ?? "", file["content"]?.string ?? "")
                let result = RuleSet.compile(text)
                issues.append((name, result.issues))
                if let rules = result.rules { compiled.append(ServedRules(name: name, text: text, rules: rules)) }
            }
            if compiled.count == files.count {
                let first = compiled.removeFirst()
                rules.set(ServedRules(name: first.name, text: first.text, rules: first.rules, others: compiled), of: id)
            } else if object["ignoreErrors"]?.boolean != true {
                let errors = issues.flatMap(\.issues).filter { $0.severity == .error }
                throw .invalid("Error compiling rules:\n\(errors.map(\.line).joined(separator: "\n"))")
            }
            try responder.sendObject { (writer) throws(RequestError) in EmulatorMethods.write(issues, to: &writer) }
        }

        private static func write(_ issues: [(file: String, issues: [RuleIssue])], to writer: inout JSONWriter) {
            guard issues.contains(where: { !$0.issues.isEmpty }) else { return }
            writer.key("issues")
            writer.beginArray()
            for (index, (file, issues)) in issues.enumerated() {
                for issue in issues { writer.write(issue, in: file, index) }
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
        fileprivate mutating func write(_ issue: RuleIssue, in file: String, _ index: Int) {
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
            }
            endObject()
            write("description", issue.text)
            write("severity", issue.severity.rawValue)
            endObject()
        }
    }
#endif
