// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import GRPCFraming
    internal import NIOCore
    internal import NIOHPACK
    internal import NIOHTTP2
    internal import SyncCore

    /// What a server says in a call.
    enum CallEvent: Sendable {
        case message(ByteBuffer)
        /// The last event, which comes once.
        case end(CallEnd)
    }

    /// How a call ended.
    struct CallEnd: Error, Sendable {
        /// Nil if the server ended it without an error.
        var error: SyncError?
        /// Whether the server was not reached at all.
        var isNetworkFailure = false
        /// The server's clock, as its answer has it.
        var date: String?

        static let tooLarge = RequestError(.resourceExhausted, "The server sent a message of more than 17 MiB.")
    }

    /// Reads the server's side of a call, and ends its stream behind it.
    final class CallHandler: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload

        private let endpoint: Endpoint
        private let receive: (CallEvent) -> Void
        private var reader = GRPCMessageReader(limit: CallHandler.largestMessage, CallEnd.tooLarge)
        private var date: String?
        private var hasHeaders = false
        private var isEnded = false

        private static let largestMessage = 17 << 20

        /// - Parameter receive: called on the event loop.
        init(_ endpoint: Endpoint, _ receive: @escaping (CallEvent) -> Void) {
            self.endpoint = endpoint
            self.receive = receive
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isEnded else { return }
            switch unwrapInboundIn(data) {
            case .headers(let frame): read(context, frame.headers, isLast: frame.endStream)
            case .data(let frame):
                guard case .byteBuffer(let bytes) = frame.data else { return }
                read(context, bytes)
                if frame.endStream { end(context, SyncError(.internal, "The server's answer ends without a status.")) }
            case .rstStream(let code): end(context, CallHandler.error(code))
            default: break
            }
        }

        private func read(_ context: ChannelHandlerContext, _ headers: HPACKHeaders, isLast: Bool) {
            if date == nil { date = headers.first(name: "date") }
            if !hasHeaders {
                hasHeaders = true
                let status = headers.first(name: ":status") ?? ""
                let type = headers.first(name: "content-type") ?? ""
                guard status == "200", type.hasPrefix("application/grpc") else {
                    // Even such an answer may have a status of gRPC.
                    if let error = GRPCStatus.read(headers), error.status != .ok {
                        return end(context, SyncError(error))
                    }
                    return end(context, foreign(status, type))
                }
            }
            if let error = GRPCStatus.read(headers) {
                end(context, error.status == .ok ? nil : SyncError(error))
            } else if isLast {
                end(context, SyncError(.internal, "The server's answer ends without a status."))
            }
        }

        private func foreign(_ status: String, _ type: String) -> SyncError {
            let code = status == "200" ? .unknown : GRPCStatus.code(ofHTTPStatus: status)
            return SyncError(
                code,
                "\(endpoint.authority) answered HTTP \(status) (\(type.isEmpty ? "no type" : type)) and not gRPC. "
                    + "Check that Cloud Firestore or its emulator is there.")
        }

        private func read(_ context: ChannelHandlerContext, _ bytes: ByteBuffer) {
            reader.append(bytes)
            do throws(RequestError) {
                while !isEnded, let message = try reader.next() { receive(.message(message)) }
            } catch {
                end(context, SyncError(error))
            }
        }

        /// Ends the stream, too: a server that has sent its status needs no more of the client.
        private func end(_ context: ChannelHandlerContext?, _ error: SyncError?, isNetworkFailure: Bool = false) {
            guard !isEnded else { return }
            isEnded = true
            receive(.end(CallEnd(error: error, isNetworkFailure: isNetworkFailure, date: date)))
            context?.close(promise: nil)
        }

        // MARK: Ends without a status

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if let error = error as? NIOHTTP2Errors.StreamClosed {
                end(context, CallHandler.error(error.errorCode))
            } else {
                end(context, SyncError(.unavailable, "The call to \(endpoint.authority) was lost: \(error)."))
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            end(nil, SyncError(.unavailable, "The connection to \(endpoint.authority) was lost."))
            context.fireChannelInactive()
        }

        /// What gRPC makes of a reset.
        private static func error(_ code: HTTP2ErrorCode) -> SyncError {
            let status: StatusCode =
                switch code {
                case .refusedStream: .unavailable
                case .cancel: .cancelled
                case .enhanceYourCalm: .resourceExhausted
                case .inadequateSecurity: .permissionDenied
                default: .internal
                }
            return SyncError(status, "The server has reset the call: \(code).")
        }
    }
#endif
