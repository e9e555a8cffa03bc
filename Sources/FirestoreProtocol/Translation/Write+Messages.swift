// SPDX-License-Identifier: Apache-2.0

#if Server || Connected
    package import DocumentModel

    extension Write {
        /// The write of a message. Its limits and field names are checked by the engine.
        package init(_ message: ProtoWrite, in database: DatabaseID) throws(RequestError) {
            switch message.operation {
            case .update(let document):
                let path = try DocumentPath(named: document.name, in: database)
                self.init(
                    path,
                    .update(
                        try Fields(document.fields, in: database),
                        mask: message.hasUpdateMask ? try [FieldPath](message.updateMask) : nil,
                        transforms: try Write.transforms(message.updateTransforms, in: database)))
            case .delete(let name):
                guard !message.hasUpdateMask else { throw .invalid("a delete must not specify a document mask.") }
                guard message.updateTransforms.isEmpty else {
                    throw .invalid("a delete must not specify a update transform.")
                }
                self.init(try DocumentPath(named: name, in: database), .delete)
            case .verify(let name):
                self.init(try DocumentPath(named: name, in: database), .verify)
            case .transform(let transform):
                self.init(
                    try DocumentPath(named: transform.document, in: database),
                    .update(
                        .empty, mask: [], transforms: try Write.transforms(transform.fieldTransforms, in: database)))
            case nil: throw .invalid("empty write operation")
            }
            if message.hasCurrentDocument { precondition = try Precondition(message.currentDocument) }
        }

        private static func transforms(
            _ messages: [ProtoDocumentTransform.FieldTransform], in database: DatabaseID
        ) throws(RequestError) -> [FieldTransform] {
            var transforms: [FieldTransform] = []
            for message in messages { transforms.append(try FieldTransform(message, in: database)) }
            return transforms
        }
    }

    extension FieldTransform {
        fileprivate init(
            _ message: ProtoDocumentTransform.FieldTransform, in database: DatabaseID
        ) throws(RequestError) {
            let operation: Operation
            switch message.transformType {
            case .setToServerValue(.requestTime): operation = .serverTimestamp
            case .increment(let value): operation = .increment(try Value(value, in: database))
            case .maximum(let value): operation = .maximum(try Value(value, in: database))
            case .minimum(let value): operation = .minimum(try Value(value, in: database))
            case .appendMissingElements(let array):
                operation = .appendMissingElements(try FieldTransform.elements(array, in: database))
            case .removeAllFromArray(let array):
                operation = .removeAllFromArray(try FieldTransform.elements(array, in: database))
            case .setToServerValue, nil: throw .invalid("Unknown transform type.")
            }
            self.init(try FieldPath(wirePath: message.fieldPath), operation)
        }

        private static func elements(
            _ message: ProtoArrayValue, in database: DatabaseID
        ) throws(RequestError) -> [Value] {
            var elements: [Value] = []
            for element in message.values { elements.append(try Value(element, in: database)) }
            return elements
        }
    }

    extension FieldPath {
        /// A path in wire syntax, with reserved names refused.
        package init(wirePath: String) throws(RequestError) {
            do throws(FieldPathError) {
                try self.init(wire: wirePath)
            } catch {
                throw RequestError(error)
            }
        }
    }

    extension [FieldPath] {
        /// The mask of a write, whose limits are checked by the engine.
        package init(_ message: ProtoDocumentMask) throws(RequestError) {
            self = []
            for path in message.fieldPaths { append(try FieldPath(wirePath: path)) }
        }

        /// The mask of what a call returns, or of its only write: as in the emulator, a path that is too long (D-8) is refused before
        /// anything is read.
        package init(maskPaths: [String]) throws(RequestError) {
            self = []
            for text in maskPaths {
                let path = try FieldPath(wirePath: text)
                guard !path.isTooLong else { throw .invalid("property path is longer than 1500 bytes.") }
                append(path)
            }
        }
    }

    extension Precondition {
        /// Nil for a message without a condition.
        package init?(_ message: ProtoPrecondition) throws(RequestError) {
            switch message.conditionType {
            case .exists(let exists): self = .exists(exists)
            case .updateTime(let time): self = .updateTime(try Timestamp(time))
            case nil: return nil
            }
        }
    }

    extension WriteResult {
        package var message: ProtoWriteResult {
            var message = ProtoWriteResult()
            if let updateTime { message.updateTime = updateTime.message }
            message.transformResults = transformResults.map(\.message)
            return message
        }
    }
#endif
