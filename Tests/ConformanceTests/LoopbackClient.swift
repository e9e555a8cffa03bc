// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import FoundationNetworking

/// Sends requests to a server on this machine, one at a time, and waits for each response.
final class LoopbackClient: Sendable {
    private let session: URLSession
    private let root: String

    /// - Parameter headers: what every request has.
    init(port: Int, headers: [String: String] = [:]) {
        root = "http://127.0.0.1:\(port)/"
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 1
        configuration.httpAdditionalHeaders = headers
        configuration.timeoutIntervalForRequest = 600
        session = URLSession(configuration: configuration)
    }

    deinit { session.invalidateAndCancel() }

    /// The response, whatever its status.
    func send(
        _ method: String, _ path: String, _ body: Data?, authorization: String? = nil
    ) throws -> (status: Int, body: Data) {
        let url = path.addingPercentEncoding(withAllowedCharacters: LoopbackClient.pathCharacters)
            .flatMap { URL(string: root + $0) }
        guard let url else { throw EmulatorFailure("\(path) is no path") }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        if let authorization { request.setValue(authorization, forHTTPHeaderField: "Authorization") }
        let exchange = Exchange()
        session.dataTask(with: request) { data, response, error in
            let status = (response as? HTTPURLResponse)?.statusCode
            exchange.finish(
                status.map { .success(($0, data ?? Data())) } ?? .failure(error ?? EmulatorFailure("no response")))
        }.resume()
        return try exchange.result()
    }

    private static let pathCharacters = CharacterSet.urlPathAllowed.union(CharacterSet(charactersIn: "?=&"))
}

struct EmulatorFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A response that one thread waits for and another delivers.
final class Exchange: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var delivered: Result<(Int, Data), any Error>?

    func finish(_ result: Result<(Int, Data), any Error>) {
        delivered = result
        done.signal()
    }

    func result() throws -> (Int, Data) {
        done.wait()
        return try delivered!.get()
    }
}
