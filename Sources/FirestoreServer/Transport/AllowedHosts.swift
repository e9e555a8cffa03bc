// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import NIOHTTP1

    /// By which names a server on this machine may be called.
    ///
    /// A page's own origin may become this machine's address in the name service, and its requests then have no foreign origin. But
    /// their `Host` still names that page's host.
    struct AllowedHosts: Sendable {
        /// Nil for a server that other machines reach, by whatever names it has there.
        private let named: Set<Substring>?

        /// - Parameters:
        ///   - host: the address that the server listens at.
        ///   - origins: pages that may send requests, also from their own host.
        init(listeningAt host: String, _ origins: Set<String>) {
            guard AllowedHosts.isLoopback(host[...]), !origins.contains("*") else {
                named = nil
                return
            }
            named = Set(origins.map { AllowedHosts.name(in: $0.split(separator: "/").last ?? "") })
        }

        func allows(_ headers: HTTPHeaders) -> Bool {
            guard let named else { return true }
            return headers["host"].allSatisfy { host in
                let name = AllowedHosts.name(in: host[...])
                return AllowedHosts.isLoopback(name) || named.contains(name)
            }
        }

        /// A host without its port.
        private static func name(in host: Substring) -> Substring {
            if host.first == "[" { return host.dropFirst().prefix { $0 != "]" } }
            return host.prefix { $0 != ":" }
        }

        /// Whether the host of an origin is this machine, at any port and with nothing else beside it.
        static func isOfThisMachine(_ host: Substring) -> Bool {
            let name = name(in: host)
            let written = host.first == "[" ? "[\(name)]" : String(name)
            guard isLoopback(name), host.hasPrefix(written) else { return false }
            let port = host.dropFirst(written.count)
            return port.isEmpty || port.first == ":" && port.dropFirst().allSatisfy(\.isNumber)
        }

        /// `localhost`, names below it, and addresses of this machine.
        private static func isLoopback(_ name: Substring) -> Bool {
            let lower = name.lowercased()
            if lower == "localhost" || lower.hasSuffix(".localhost") || lower == "::1" { return true }
            let numbers = lower.split(separator: ".", omittingEmptySubsequences: false)
            return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
        }
    }
#endif
