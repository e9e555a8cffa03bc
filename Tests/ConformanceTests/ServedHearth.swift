// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreServer
    import Foundation
    import FoundationNetworking
    import IndexCatalog

    /// A server of Hearth on a free loopback port, used over its REST interface, one request at a time.
    final class ServedHearth {
        private let server: HearthServer
        private let session = URLSession(configuration: .ephemeral)
        private let root: String

        init(_ mode: IndexMode) throws {
            var options = ServerOptions()
            options.host = "127.0.0.1"
            options.port = 0
            options.mode = mode
            server = try HearthServer(options, IndexSource())
            root = "http://127.0.0.1:\(try server.start())/"
        }

        deinit {
            session.invalidateAndCancel()
            server.stop()
        }

        var client: EmulatorClient { EmulatorClient { [self] in try send($0, $1, $2) } }

        private func send(_ method: String, _ path: String, _ body: Data?) throws -> (status: Int, body: Data) {
            let allowed = CharacterSet.urlPathAllowed.union(CharacterSet(charactersIn: "?=&"))
            let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed)
            guard let url = encoded.flatMap({ URL(string: root + $0) }) else {
                throw EmulatorFailure("\(path) is no path")
            }
            var request = URLRequest(url: url)
            request.httpMethod = method
            request.httpBody = body
            let exchange = Exchange()
            session.dataTask(with: request) { data, response, error in
                let status = (response as? HTTPURLResponse)?.statusCode
                exchange.finish(
                    status.map { .success(($0, data ?? Data())) } ?? .failure(error ?? EmulatorFailure("no response")))
            }.resume()
            return try exchange.result()
        }
    }
#endif
