// SPDX-License-Identifier: Apache-2.0

#if Server || Connected
    package import DocumentModel

    extension Document {
        package func message(in database: DatabaseID) -> ProtoDocument {
            var message = ProtoDocument()
            message.name = path.name(in: database)
            message.fields = fields.messages
            message.createTime = createTime.message
            message.updateTime = updateTime.message
            return message
        }

        /// A document that a server sent.
        package init(_ message: ProtoDocument, in database: DatabaseID) throws(RequestError) {
            self.init(
                path: try DocumentPath(received: message.name, in: database),
                fields: try Fields(message.fields, in: database), createTime: try Timestamp(message.createTime),
                updateTime: try Timestamp(message.updateTime))
        }
    }

    extension DocumentPath {
        /// The document of a name that a server sent. Its IDs may be ones that requests may not use: a database that was
        /// moved from Datastore has them.
        package init(received text: String, in database: DatabaseID) throws(RequestError) {
            let name = try ResourceName(parsing: text)
            guard name.database == database, name.path.count % 2 == 0, !name.path.isEmpty else {
                throw RequestError(.internal, "The server sent \(text), which is no document of the database.")
            }
            self.init(name.path)
        }
    }
#endif
