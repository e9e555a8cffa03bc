// SPDX-License-Identifier: Apache-2.0

#if Server || Connected
    package import DocumentModel
    package import SwiftProtobuf

    // Writes as a client sends them, and what it receives.
    extension Write {
        package func message(in database: DatabaseID) -> ProtoWrite {
            var message = ProtoWrite()
            let name = path.name(in: database)
            switch operation {
            case .update(let fields, let mask, let transforms):
                message.update.name = name
                message.update.fields = fields.messages
                if let mask { message.updateMask.fieldPaths = mask.map(\.wire) }
                // An empty mask is not the same as none.
                if mask?.isEmpty == true { message.updateMask = .init() }
                message.updateTransforms = transforms.map(\.message)
            case .delete: message.delete = name
            case .verify: message.verify = name
            }
            if let precondition { message.currentDocument = precondition.message }
            return message
        }
    }

    extension Precondition {
        fileprivate var message: ProtoPrecondition {
            var message = ProtoPrecondition()
            switch self {
            case .exists(let exists): message.exists = exists
            case .updateTime(let time): message.updateTime = time.message
            }
            return message
        }
    }

    extension FieldTransform {
        fileprivate var message: ProtoDocumentTransform.FieldTransform {
            var message = ProtoDocumentTransform.FieldTransform()
            message.fieldPath = path.wire
            switch operation {
            case .serverTimestamp: message.setToServerValue = .requestTime
            case .increment(let value): message.increment = value.message
            case .maximum(let value): message.maximum = value.message
            case .minimum(let value): message.minimum = value.message
            case .appendMissingElements(let elements): message.appendMissingElements.values = elements.map(\.message)
            case .removeAllFromArray(let elements): message.removeAllFromArray.values = elements.map(\.message)
            }
            return message
        }
    }

    extension WriteResult {
        package init(_ message: ProtoWriteResult, in database: DatabaseID) throws(RequestError) {
            var values: [Value] = []
            for value in message.transformResults { values.append(try Value(value, in: database)) }
            self.init(
                updateTime: message.hasUpdateTime ? try Timestamp(message.updateTime) : nil, transformResults: values)
        }
    }

    extension CommitResult {
        /// - Throws: if the answer lacks a time, or a result for one of the writes.
        package init(
            _ results: [ProtoWriteResult], at time: Google_Protobuf_Timestamp?, of count: Int, in database: DatabaseID
        ) throws(RequestError) {
            guard let time, results.count == count else {
                throw RequestError(.internal, "The server answered \(count) writes with \(results.count) results.")
            }
            var read: [WriteResult] = []
            for result in results { read.append(try WriteResult(result, in: database)) }
            self.init(commitTime: try Timestamp(time), results: read)
        }
    }
#endif
