// SPDX-License-Identifier: Apache-2.0

#if Connected
    package import DocumentModel
    package import FirestoreProtocol
    internal import QueryPlanner
    internal import SwiftProtobuf
    package import SyncCore

    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension WatchChange {
        /// What a message of a listen stream says; nil for one of a kind that this client does not know.
        ///
        /// - Throws: if a value, a name or a time cannot be read.
        package init?(_ response: ProtoListenResponse, in database: DatabaseID) throws(RequestError) {
            switch response.responseType {
            case .targetChange(let change): try self.init(change)
            case .documentChange(let change):
                self = .document(
                    try SyncDocument(change.document, in: database), updated: change.targetIds.map { Int($0) },
                    removed: change.removedTargetIds.map { Int($0) })
            case .documentDelete(let deletion):
                self = .deletion(
                    try DocumentPath(received: deletion.document, in: database),
                    readTime: deletion.hasReadTime ? try Timestamp(deletion.readTime) : nil,
                    removed: deletion.removedTargetIds.map { Int($0) })
            case .documentRemove(let removal):
                self = .removal(
                    try DocumentPath(received: removal.document, in: database),
                    removed: removal.removedTargetIds.map { Int($0) })
            case .filter(let filter): self = .existenceFilter(ExistenceFilter(filter), target: Int(filter.targetID))
            case nil: return nil
            }
        }

        private init?(_ change: ProtoTargetChange) throws(RequestError) {
            let targets = change.targetIds.map { Int($0) }
            let cause = StatusCode(rawValue: Int(change.cause.code)) ?? .unknown
            if change.targetChangeType == .remove, cause != .ok {
                self = .targetsRejected(targets, SyncError(cause, change.cause.message))
                return
            }
            guard let kind = TargetChangeKind(change.targetChangeType) else { return nil }
            self = .target(
                kind, targets: targets, resumeToken: Array(change.resumeToken),
                readTime: change.hasReadTime ? try Timestamp(change.readTime) : nil)
        }
    }

    extension TargetChangeKind {
        fileprivate init?(_ type: ProtoTargetChange.TargetChangeType) {
            switch type {
            case .noChange: self = .none
            case .add: self = .added
            case .remove: self = .removed
            case .current: self = .current
            case .reset: self = .reset
            case .UNRECOGNIZED: return nil
            }
        }
    }

    extension ExistenceFilter {
        fileprivate init(_ filter: ProtoExistenceFilter) {
            let names = filter.unchangedNames
            self.init(
                count: Int(filter.count),
                unchangedNames: filter.hasUnchangedNames
                    ? BloomFilter(
                        bitmap: Array(names.bits.bitmap), padding: Int(names.bits.padding),
                        hashCount: Int(names.hashCount))
                    : nil)
        }
    }

    extension SyncDocument {
        /// A document that exists.
        package init(_ message: ProtoDocument, in database: DatabaseID) throws(RequestError) {
            let document = try Document(message, in: database)
            self.init(
                document.path, .found(document.fields, createTime: document.createTime), version: document.updateTime)
        }
    }

    extension WatchRequest {
        package func message(in database: DatabaseID) -> ProtoListenRequest {
            var message = ProtoListenRequest()
            message.database = database.resourceName
            switch self {
            case .add(let request):
                message.addTarget = request.message(in: database)
                if let label = request.purpose.label { message.labels = ["goog-listen-tags": label] }
            case .remove(let wireID): message.removeTarget = Int32(clamping: wireID)
            }
            return message
        }
    }

    extension ListenRequest {
        fileprivate func message(in database: DatabaseID) -> ProtoTarget {
            var message = ProtoTarget()
            message.targetID = Int32(clamping: wireID)
            switch target.kind {
            case .document(let path): message.documents.documents = [path.name(in: database)]
            case .query(let query):
                message.query.parent = query.parentName(in: database)
                message.query.structuredQuery = query.message(in: database)
            case .bundle: preconditionFailure("no server knows a bundle's documents as a target")
            }
            if !resumeToken.isEmpty {
                message.resumeToken = Data(resumeToken)
            } else if let readTime {
                message.readTime = readTime.message
            }
            if let expectedCount { message.expectedCount = .init(Int32(clamping: expectedCount)) }
            return message
        }
    }
#endif
