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
    }
#endif
