// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import DocumentModel
    internal import NIOCore
    internal import NIOPosix
    internal import NIOSSL
    internal import SyncCore

    /// The way to a server: one connection that all calls share, opened when a call needs it, and again after it was lost.
    final class Connector: Sendable {
        private struct State: Sendable {
            /// Opening or open.
            var current: EventLoopFuture<HTTP2Connection>?
            /// That of ``current`` once it is open.
            var channel: (any Channel)?
            /// Counts connections.
            var number = 0
            var keepAlive: TimeAmount
            var isClosed = false
        }

        let endpoint: Endpoint
        let loop: any EventLoop
        private let tls: NIOSSLContext?
        private let state: NIOLoopBoundBox<State>

        /// - Parameters:
        ///   - roots: certificates that are trusted besides those of the machine.
        ///   - keepAlive: how often a server with calls is asked whether it is still there.
        /// - Throws: if TLS cannot be set up.
        init(
            _ endpoint: Endpoint, trusting roots: [NIOSSLCertificate] = [], keepAlive: TimeAmount = .seconds(30)
        ) throws(SyncError) {
            self.endpoint = endpoint
            loop = MultiThreadedEventLoopGroup.singleton.next()
            state = NIOLoopBoundBox.makeBoxSendingValue(State(keepAlive: keepAlive), eventLoop: loop)
            guard endpoint.isSSLEnabled else {
                tls = nil
                return
            }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.applicationProtocols = ["h2"]
            configuration.minimumTLSVersion = .tlsv12
            if !roots.isEmpty { configuration.additionalTrustRoots = [.certificates(roots)] }
            do { tls = try NIOSSLContext(configuration: configuration) } catch {
                throw SyncError(.internal, "TLS cannot be set up: \(error)")
            }
        }

        /// The connection, which may have to be opened. Called on the event loop.
        private func connection() -> EventLoopFuture<HTTP2Connection> {
            guard !state.value.isClosed else {
                return loop.makeFailedFuture(ConnectionError("The client has been stopped.", isUnreachable: false))
            }
            if let current = state.value.current { return current }
            state.value.number += 1
            let number = state.value.number
            let opening = HTTP2Connection.open(endpoint, tls, on: loop, keepAlive: state.value.keepAlive) { isCalm in
                self.forget(number)
                if !isCalm { self.state.value.keepAlive = self.state.value.keepAlive * 2 }
            }
            state.value.current = opening
            opening.whenComplete { result in
                switch result {
                case .success(let connection): self.note(connection.channel, number)
                case .failure: self.forget(number)
                }
            }
            return opening
        }

        private func note(_ channel: any Channel, _ number: Int) {
            if state.value.isClosed { return channel.close(promise: nil) }
            if state.value.number == number, state.value.current != nil { state.value.channel = channel }
        }

        private func forget(_ number: Int) {
            if state.value.number == number { (state.value.current, state.value.channel) = (nil, nil) }
        }

        /// Opens a stream for a call. A connection that ends at this moment is opened again, once.
        func open(_ handler: @escaping @Sendable () -> CallHandler) -> EventLoopFuture<any Channel> {
            loop.flatSubmit {
                self.connection().flatMap { connection in
                    connection.open(handler).flatMapError { _ in
                        connection.leave(isCalm: true)
                        return self.connection().flatMap { $0.open(handler) }
                    }
                }
            }
        }

        /// Ends the connection with its calls. No call is made afterwards. A connection that is being opened is not waited
        /// for: it ends when it is there.
        func close() -> EventLoopFuture<Void> {
            loop.flatSubmit {
                self.state.value.isClosed = true
                return self.state.value.channel?.close() ?? self.loop.makeSucceededVoidFuture()
            }
        }
    }
#endif
