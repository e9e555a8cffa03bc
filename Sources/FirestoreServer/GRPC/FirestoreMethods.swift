// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner
    internal import SwiftProtobuf

    extension GRPCMethods {
        /// The methods of `google.firestore.v1.Firestore`.
        init(_ service: FirestoreService) {
            var methods: [String: GRPCMethod] = [:]
            let (one, few) = (GRPCMethod.oneDocument, GRPCMethod.fewDocuments)
            func add(_ name: String, _ method: GRPCMethod) {
                methods["/google.firestore.v1.Firestore/\(name)"] = method
            }

            add("GetDocument", .unary(brief: one) { try await service.grpcGetDocument($0, $1) })
            add("ListDocuments", .unary { try await service.grpcListDocuments($0, $1) })
            add("CreateDocument", .unary(brief: one) { try await service.grpcCreateDocument($0, $1) })
            add("UpdateDocument", .unary(brief: one) { try await service.grpcUpdateDocument($0, $1) })
            add("DeleteDocument", .unary(brief: one) { try await service.grpcDeleteDocument($0, $1) })
            add("BatchGetDocuments", .stream(brief: few) { try await service.grpcBatchGetDocuments($0, $1) })
            add("BeginTransaction", .unary(brief: one) { try await service.grpcBeginTransaction($0, $1) })
            add("Commit", .unary(brief: one) { try await service.grpcCommit($0, $1) })
            add("Rollback", .unary(brief: one) { try await service.grpcRollback($0, $1) })
            add("RunQuery", .stream { try await service.grpcRunQuery($0, $1) })
            add("RunAggregationQuery", .stream { try await service.grpcRunAggregationQuery($0, $1) })
            add("PartitionQuery", .unary { try await service.grpcPartitionQuery($0, $1) })
            add("ListCollectionIds", .unary { try await service.grpcListCollectionIDs($0, $1) })
            add("BatchWrite", .unary { try await service.grpcBatchWrite($0, $1) })
            add("ExecutePipeline", .stream { (_: ProtoExecutePipelineRequest, _) in throw RequestError.pipeline })
            add(
                "Listen",
                .duplex { messages, call in
                    let requests = messages.decoded { ListenRequest($0) }
                    try await service.listen(requests, as: call.credentials) { try await call.send($0) }
                })
            add(
                "Write",
                .duplex { messages, call in
                    let requests = messages.decoded { WriteRequest($0) }
                    try await service.write(requests, as: call.credentials) { try await call.send([$0.message]) }
                })
            self.init(methods)
        }
    }

    extension RequestError {
        /// Production's answer of a Standard edition database (recorded September 2026).
        static let pipeline: RequestError = {
            var error = RequestError(
                .failedPrecondition,
                "Pipeline Operations are only available for Firestore databases in Enterprise edition.\n\nPlease switch to "
                    + "an Enterprise edition database to take advantage of such functionality.")
            error.details = try? ErrorDetails.status(
                error, reason: "PIPELINE_REQUIRES_ENTERPRISE_EDITION",
                help: "https://cloud.google.com/firestore/docs/editions-overview")
            return error
        }()
    }
#endif
