// SPDX-License-Identifier: Apache-2.0

#if Connected
    /// A server's address.
    struct Endpoint: Sendable, Hashable {
        let host: String
        let port: Int
        let isSSLEnabled: Bool

        static let production = Endpoint(host: "firestore.googleapis.com", port: 443, isSSLEnabled: true)

        init(host: String, port: Int, isSSLEnabled: Bool) {
            self.host = host
            self.port = port
            self.isSSLEnabled = isSSLEnabled
        }

        /// Reads `localhost:8080`, `[::1]:8080` or `firestore.googleapis.com`; nil for anything else, such as a URL.
        /// Without a port it is that of HTTP or of HTTPS.
        init?(_ text: String, isSSLEnabled: Bool) {
            let port: Substring?
            var host = text[...]
            if host.first == "[" {
                guard let end = host.firstIndex(of: "]") else { return nil }
                let rest = host[host.index(after: end)...]
                guard rest.isEmpty || rest.first == ":" else { return nil }
                port = rest.isEmpty ? nil : rest.dropFirst()
                host = host[..<end].dropFirst()
            } else {
                let halves = host.split(separator: ":", omittingEmptySubsequences: false)
                guard halves.count <= 2 else { return nil }
                host = halves[0]
                port = halves.count == 2 ? halves[1] : nil
            }
            guard !host.isEmpty, !host.contains(where: { "/@?# ".contains($0) }) else { return nil }
            if let port {
                guard let number = UInt16(port), number > 0 else { return nil }
                self.port = Int(number)
            } else {
                self.port = isSSLEnabled ? 443 : 80
            }
            self.host = String(host)
            self.isSSLEnabled = isSSLEnabled
        }

        /// The address as texts and headers have it.
        var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

        /// Whether the host is an address, which no certificate is asked for by name.
        var isAddress: Bool {
            host.contains(":") || host.split(separator: ".").count == 4 && host.allSatisfy { $0 == "." || $0.isNumber }
        }
    }
#endif
