// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import GRPCFraming
    internal import NIOCore
    package import SwiftProtobuf
    package import SyncCore

    /// The answers of a call, read one after another: the server waits for a reader that is slow. The call ends with the
    /// last reference.
    package final class GRPCResponses<Response: Message>: Sendable {
        private let inbox: CallInbox
        private let explain: @Sendable (CallEnd) -> SyncError

        init(_ inbox: CallInbox, explaining explain: @escaping @Sendable (CallEnd) -> SyncError) {
            self.inbox = inbox
            self.explain = explain
        }

        deinit { inbox.end(SyncError(.cancelled, "Nobody reads the call's answers.")) }

        /// The next answer; nil when the call has succeeded and there are no more. One task reads.
        ///
        /// - Throws: why the call failed.
        package func next() async throws(SyncError) -> Response? {
            do throws(CallEnd) {
                guard let bytes = try await inbox.next() else { return nil }
                do { return try bytes.message(as: Response.self) } catch {
                    throw CallEnd(error: SyncError(.internal, "The server's answer cannot be read: \(error)"))
                }
            } catch {
                throw explain(error)
            }
        }
    }
#endif
