// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText

    extension EmulatorMethods {
        /// The names of all databases.
        func listDatabases(_ responder: HTTPResponder) throws(RequestError) {
            try responder.sendObject { (writer) throws(RequestError) in
                writer.key("databases")
                writer.beginArray()
                for id in service.databases.names { writer.string(id.resourceName) }
                writer.endArray()
            }
        }
    }
#endif
