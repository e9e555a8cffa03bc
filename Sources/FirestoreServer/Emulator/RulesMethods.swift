// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import NIOHTTP1
    internal import QueryPlanner
    internal import SecurityRules

    extension EmulatorMethods {
        /// The rules of a database with the name of their file.
        func showRules(_ id: DatabaseID, _ responder: HTTPResponder) throws(RequestError) {
            let served = rules.rules(of: id)
            try responder.sendObject { (writer) throws(RequestError) in
                writer.key("rules")
                writer.beginObject()
                writer.key("files")
                writer.beginArray()
                writer.beginObject()
                writer.write("content", served?.text ?? EmulatorMethods.openRules)
                writer.write("name", served?.name ?? "OPEN_RULES")
                writer.endObject()
                writer.endArray()
                writer.endObject()
                if let served { EmulatorMethods.write(served.rules.issues, in: served.name, to: &writer) }
            }
        }

        /// Sets the rules of a database: `{"rules":{"files":[{"name":"…","content":"…"}]}}`. Rules with errors change nothing.
        func setRules(_ id: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder) throws(RequestError) {
            let object = try request.object(keys: ["rules", "ignoreErrors"])
            guard let file = try object.member("rules", keys: ["files"])?.list("files").first,
                let text = file["content"]?.string
            else { throw .invalid("The body has no rules: {\"rules\":{\"files\":[{\"content\":\"…\"}]}}.") }
            let name = file["name"]?.string ?? ""
            let (compiled, issues) = RuleSet.compile(text)
            if let compiled {
                rules.set(ServedRules(name: name, text: text, rules: compiled), of: id)
            } else if object["ignoreErrors"]?.boolean != true {
                let lines = issues.filter { $0.severity == .error }.map(\.line).joined(separator: "\n")
                throw .invalid("Error compiling rules:\n\(lines)")
            }
            try responder.sendObject { (writer) throws(RequestError) in
                EmulatorMethods.write(issues, in: name, to: &writer)
            }
        }

        /// What the rules' expressions have come to since they were set.
        func reportCoverage(_ id: DatabaseID, _ responder: HTTPResponder) throws(RequestError) {
            guard let coverage = rules.coverage(of: id) else { return try showRules(id, responder) }
            responder.sendJSON(Array(coverage.report.text().utf8))
        }

        /// The same as a page over the source.
        func showCoverage(_ id: DatabaseID, _ responder: HTTPResponder) throws(RequestError) {
            guard let page = rules.coverage(of: id)?.page else {
                throw RequestError(.notFound, "The database has no rules: everything is allowed.")
            }
            responder.send(.ok, "text/html; charset=UTF-8", Array(page.utf8))
        }

        private static func write(_ issues: [RuleIssue], in file: String, to writer: inout JSONWriter) {
            guard !issues.isEmpty else { return }
            writer.key("issues")
            writer.beginArray()
            for issue in issues { writer.write(issue, in: file) }
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
        fileprivate mutating func write(_ issue: RuleIssue, in file: String) {
            beginObject()
            key("sourcePosition")
            beginObject()
            if !file.isEmpty { write("fileName", file) }
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
