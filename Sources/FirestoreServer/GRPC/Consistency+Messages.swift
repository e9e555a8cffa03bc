// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    // Every message has an enumeration of its own for the same choice.

    extension ProtoGetDocumentRequest {
        func consistency() throws(RequestError) -> Consistency {
            switch consistencySelector {
            case .transaction(let id): .transaction(Array(id))
            case .readTime(let time): .readTime(try Timestamp(readTime: time))
            case nil: .latest
            }
        }
    }

    extension ProtoListDocumentsRequest {
        func consistency() throws(RequestError) -> Consistency {
            switch consistencySelector {
            case .transaction(let id): .transaction(Array(id))
            case .readTime(let time): .readTime(try Timestamp(readTime: time))
            case nil: .latest
            }
        }
    }

    extension ProtoBatchGetDocumentsRequest {
        func consistency() throws(RequestError) -> Consistency {
            switch consistencySelector {
            case .transaction(let id): .transaction(Array(id))
            case .newTransaction(let options): .newTransaction(try TransactionMode(options))
            case .readTime(let time): .readTime(try Timestamp(readTime: time))
            case nil: .latest
            }
        }
    }

    extension ProtoRunQueryRequest {
        func consistency() throws(RequestError) -> Consistency {
            switch consistencySelector {
            case .transaction(let id): .transaction(Array(id))
            case .newTransaction(let options): .newTransaction(try TransactionMode(options))
            case .readTime(let time): .readTime(try Timestamp(readTime: time))
            case nil: .latest
            }
        }
    }

    extension ProtoRunAggregationQueryRequest {
        func consistency() throws(RequestError) -> Consistency {
            switch consistencySelector {
            case .transaction(let id): .transaction(Array(id))
            case .newTransaction(let options): .newTransaction(try TransactionMode(options))
            case .readTime(let time): .readTime(try Timestamp(readTime: time))
            case nil: .latest
            }
        }
    }

    extension ProtoListCollectionIdsRequest {
        func consistency() throws(RequestError) -> Consistency {
            switch consistencySelector {
            case .readTime(let time): .readTime(try Timestamp(readTime: time))
            case nil: .latest
            }
        }
    }

    extension ProtoPartitionQueryRequest {
        func consistency() throws(RequestError) -> Consistency {
            switch consistencySelector {
            case .readTime(let time): .readTime(try Timestamp(readTime: time))
            case nil: .latest
            }
        }
    }
#endif
