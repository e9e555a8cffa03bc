// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText

    extension JSONWriter {
        /// A document in the REST form. An empty document has no `fields`.
        mutating func write(_ document: Document, in database: DatabaseID) {
            beginObject()
            key("name")
            string(document.path.name(in: database))
            if !document.fields.isEmpty {
                key("fields")
                ValueJSON.writeFields(document.fields, to: &self, database: nil)
            }
            key("createTime")
            string(document.createTime.description)
            key("updateTime")
            string(document.updateTime.description)
            endObject()
        }

        /// The results of a commit's writes, as a member.
        mutating func writeResults(_ results: [WriteResult]) {
            guard !results.isEmpty else { return }
            key("writeResults")
            beginArray()
            for result in results { write(result) }
            endArray()
        }

        mutating func write(_ result: WriteResult) {
            beginObject()
            if let time = result.updateTime {
                key("updateTime")
                string(time.description)
            }
            if !result.transformResults.isEmpty {
                key("transformResults")
                beginArray()
                for value in result.transformResults { ValueJSON.write(value, to: &self, database: nil) }
                endArray()
            }
            endObject()
        }

        mutating func write(_ name: String, _ text: String) {
            key(name)
            string(text)
        }

        mutating func write(_ name: String, _ bytes: [UInt8]) { write(name, Base64.encode(bytes)) }
    }

    extension HTTPResponder {
        func sendEmptyObject() { sendJSON(Array("{}\n".utf8)) }

        /// Sends an object.
        func sendObject(_ body: (inout JSONWriter) throws(RequestError) -> Void) throws(RequestError) {
            var writer = JSONWriter()
            writer.beginObject()
            try body(&writer)
            writer.endObject()
            writer.newline()
            sendJSON(writer.bytes)
        }
    }
#endif
