// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreServer
    import Foundation
    import IndexCatalog

    /// A server of Hearth on a free loopback port, used over its REST interface, one request at a time.
    final class ServedHearth {
        private let server: HearthServer
        private let session: LoopbackClient

        init(_ mode: IndexMode) throws {
            var options = ServerOptions()
            options.host = "127.0.0.1"
            options.port = 0
            options.mode = mode
            server = try HearthServer(options, IndexSource())
            session = LoopbackClient(port: try server.start())
        }

        deinit { server.stop() }

        /// It keeps the server.
        var client: EmulatorClient { EmulatorClient { [self] in try session.send($0, $1, $2) } }
    }
#endif
