// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import DocumentModel
    internal import Glibc
    internal import NIOCore
    internal import NIOHTTP2
    internal import NIOPosix
    internal import NIOSSL
    internal import SyncCore

    /// Why a call has no connection.
    struct ConnectionError: Error, Sendable {
        let text: String
        /// Whether the server was not reached at all.
        let isUnreachable: Bool

        init(_ text: String, isUnreachable: Bool) {
            self.text = text
            self.isUnreachable = isUnreachable
        }

        /// What an error of NIO means for those who know the server's address, and not NIO.
        init(_ error: any Error, _ endpoint: Endpoint) {
            switch error {
            case let error as ConnectionError: self = error
            case let error as NIOConnectionError:
                let reason =
                    error.connectionErrors.first.map { ConnectionError.reason($0.error) }
                    ?? (error.dnsAAAAError ?? error.dnsAError).map { "its name cannot be resolved (\($0))" }
                    ?? "no address"
                self.init(
                    "\(endpoint.authority) cannot be reached: \(reason). Check host, port and network.",
                    isUnreachable: true)
            case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
                self.init(
                    "There is no secure connection to \(endpoint.authority): \(error). Check the host's name, its "
                        + "certificate, this machine's trusted certificates, and isSSLEnabled.", isUnreachable: false)
            default:
                let isProtocol = "\(type(of: error))".contains("HTTP2") || error is any NIOHTTP2Error
                self.init(
                    isProtocol
                        ? "\(endpoint.authority) does not speak HTTP/2 as gRPC needs it: \(error). "
                            + "Check host, port and isSSLEnabled."
                        : "\(endpoint.authority) cannot be reached: \(ConnectionError.reason(error)).",
                    isUnreachable: !isProtocol)
            }
        }

        private static func reason(_ error: any Error) -> String {
            switch error {
            case let error as IOError where error.errnoCode == ECONNREFUSED: "nothing listens there"
            case let error as IOError where error.errnoCode == ETIMEDOUT: "it does not answer"
            case let error as IOError where [ENETUNREACH, EHOSTUNREACH].contains(error.errnoCode):
                "no network leads there"
            case let error as IOError: "\(error.description)"
            case ChannelError.connectTimeout: "it does not answer"
            default: "\(error)"
            }
        }

        var syncError: SyncError { SyncError(.unavailable, text) }
    }
#endif
