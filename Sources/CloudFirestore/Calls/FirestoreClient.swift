// SPDX-License-Identifier: Apache-2.0

#if Connected
    package import DocumentModel
    internal import FirestoreProtocol
    internal import GRPCFraming
    internal import NIOCore
    internal import NIOHPACK
    internal import NIOHTTP2
    internal import NIOSSL
    package import SwiftProtobuf
    package import SyncCore

    /// Calls of Cloud Firestore's API for one database, over one connection that opens when it is needed.
    ///
    /// Nothing is tried twice but the opening of a connection: whoever calls knows what may be repeated. A cancelled task ends
    /// its call.
    package final class FirestoreClient: Sendable {
        /// The server's database.
        package let database: DatabaseID
        let connector: Connector
        let tokens: TokenSource
        let clock: CredentialClock

        /// How long a call may take unless it says otherwise.
        package static let timeout = Duration.seconds(60)

        init(_ database: DatabaseID, _ connector: Connector, _ tokens: TokenSource, _ clock: CredentialClock) {
            self.database = database
            self.connector = connector
            self.tokens = tokens
            self.clock = clock
        }

        /// - Parameter host: another server than the credentials' own, as `name:port`.
        /// - Throws: an error if the credentials or the host cannot be used at all.
        package convenience init(
            project: String, database: String = "(default)", credentials: FirestoreCredentials, host: String? = nil,
            isSSLEnabled: Bool = true
        ) throws(SyncError) {
            let database = try DatabaseID(project: project, database: database)
            let clock = CredentialClock.system
            let endpoint = try credentials.endpoint(host: host, isSSLEnabled: isSSLEnabled)
            try self.init(
                database, Connector(endpoint), credentials.tokens(for: database, at: endpoint, clock), clock)
        }

        /// The header `authorization` of a request to this server now; nil if it needs none.
        package func authorization() async throws(SyncError) -> String? {
            try await tokens.token().value.map { "Bearer \($0)" }
        }

        /// Ends the connection with its calls. No call is made afterwards.
        package func close() async { try? await closing().get() }

        /// The same without a task.
        func closing() -> EventLoopFuture<Void> {
            tokens.stop()
            return connector.close()
        }

        // MARK: Calls

        /// Calls a method that has one answer.
        package func unary<Response: Message>(
            _ method: String, _ request: some Message, within timeout: Duration = timeout
        ) async throws(SyncError) -> Response {
            let responses: GRPCResponses<Response> = try await stream(method, request, within: timeout)
            guard let response = try await responses.next() else {
                throw SyncError(.internal, "The server's answer to \(method) is missing.")
            }
            // The status comes behind the message.
            guard try await responses.next() == nil else {
                throw SyncError(.internal, "The server's answer to \(method) has too many parts.")
            }
            return response
        }

        /// Calls a method that has any number of answers. It returns before the first of them.
        package func stream<Response: Message>(
            _ method: String, _ request: some Message, within timeout: Duration = timeout
        ) async throws(SyncError) -> GRPCResponses<Response> {
            var bytes = ByteBuffer()
            do { try bytes.writeMessage(request) } catch {
                throw SyncError(.invalidArgument, "The request cannot be written: \(error)")
            }
            let timeout = TimeAmount(timeout)
            let inbox = CallInbox()
            let token = try await tokens.token()
            let responses = GRPCResponses<Response>(inbox) { [tokens] end in
                if end.error?.code == .unauthenticated { tokens.invalidate() }
                return self.explained(end) ?? SyncError(.unknown, "The call failed.")
            }
            let headers = headers(method, token, timeout)
            let message = bytes
            begin(headers) { inbox.receive($0) }.whenComplete { result in
                switch result {
                case .success(let channel):
                    inbox.begin(channel)
                    let data = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(message), endStream: true))
                    channel.writeAndFlush(data, promise: nil)
                    let deadline = channel.eventLoop.scheduleTask(in: timeout) {
                        inbox.end(SyncError(.deadlineExceeded, "The server has not answered \(method) in time."))
                    }
                    channel.closeFuture.whenComplete { _ in deadline.cancel() }
                case .failure(let error): inbox.receive(.end(CallEnd(error, self.connector.endpoint)))
                }
            }
            return responses
        }

        /// Opens a stream and writes its headers.
        ///
        /// - Parameter receive: called on the event loop, in order.
        func begin(
            _ headers: HPACKHeaders, _ receive: @escaping @Sendable (CallEvent) -> Void
        ) -> EventLoopFuture<any Channel> {
            let endpoint = connector.endpoint
            return connector.open { CallHandler(endpoint, receive) }.map { channel in
                channel.writeAndFlush(HTTP2Frame.FramePayload.headers(.init(headers: headers)), promise: nil)
                return channel
            }
        }

        func headers(_ method: String, _ token: AccessToken, _ timeout: TimeAmount?) -> HPACKHeaders {
            var headers: HPACKHeaders = [
                ":method": "POST", ":scheme": connector.endpoint.isSSLEnabled ? "https" : "http",
                ":path": "/google.firestore.v1.Firestore/\(method)", ":authority": connector.endpoint.authority,
                "content-type": "application/grpc", "te": "trailers", "user-agent": "hearth",
                "x-goog-api-client": "gl-swift/6 hearth", "google-cloud-resource-prefix": database.resourceName,
                "x-goog-request-params": database.resourceName,
            ]
            if let timeout { headers.add(name: "grpc-timeout", value: timeout.grpcTimeout) }
            if let value = token.value { headers.add(name: "authorization", value: "Bearer \(value)") }
            return headers
        }

        /// The error of a call that failed, with what its cause may be; nil for one that did not.
        func explained(_ end: CallEnd) -> SyncError? {
            end.error.map { error in
                let hint =
                    [.unauthenticated, .permissionDenied].contains(error.code) ? hint(for: error, end.date) : nil
                return hint.map { SyncError(error.code, "\(error.message) (\($0))") } ?? error
            }
        }

        private func hint(for error: SyncError, _ date: String?) -> String? {
            if error.code == .unauthenticated, let text = date.flatMap({ clock.difference(fromServer: $0) }) {
                return text
            }
            return tokens.note
        }
    }

    extension CallEnd {
        init(_ error: any Error, _ endpoint: Endpoint) {
            let error = ConnectionError(error, endpoint)
            self.init(error: error.syncError, isNetworkFailure: error.isUnreachable)
        }
    }
#endif
