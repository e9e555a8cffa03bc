// SPDX-License-Identifier: Apache-2.0

#if Server
    /// The origin of web pages as browsers send it: a scheme, a host, and a port that is not the scheme's own.
    package struct PageOrigin: Sendable {
        package let text: String

        private static let ownPorts: [Substring: UInt16] = ["http": 80, "https": 443]

        /// Takes `scheme://host[:port]`, with a slash behind it or not; nil for everything else, which no browser sends.
        package init?(_ written: String) {
            var parts = written.lowercased().split(separator: "/", omittingEmptySubsequences: false)
            if parts.count == 4, parts[3].isEmpty { parts.removeLast() }
            guard parts.count == 3, parts[0].last == ":", parts[1].isEmpty else { return nil }
            let scheme = parts[0].dropLast()
            guard PageOrigin.isScheme(scheme), let host = PageOrigin.host(parts[2], of: scheme) else { return nil }
            text = "\(scheme)://\(host)"
        }

        private static func isScheme(_ text: Substring) -> Bool {
            text.first.map { $0.isASCII && $0.isLetter } ?? false
                && text.allSatisfy { isLetterOrDigit($0) || "+-.".contains($0) }
        }

        private static func host(_ text: Substring, of scheme: Substring) -> String? {
            let isBracketed = text.first == "["
            let end = isBracketed ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
            let name = text[..<(end ?? text.endIndex)]
            guard isBracketed ? isAddress(name) : isName(name) else { return nil }
            let rest = text[name.endIndex...]
            if rest.isEmpty { return String(name) }
            guard rest.first == ":", rest.dropFirst().allSatisfy(isLetterOrDigit), let port = UInt16(rest.dropFirst())
            else { return nil }
            return ownPorts[scheme] == port ? String(name) : "\(name):\(port)"
        }

        private static func isName(_ text: Substring) -> Bool {
            !text.isEmpty && text.allSatisfy { isLetterOrDigit($0) || "-._".contains($0) }
        }

        /// One of IPv6, with its brackets.
        private static func isAddress(_ text: Substring) -> Bool {
            text.count > 2 && text.last == "]"
                && text.dropFirst().dropLast().allSatisfy { $0.isHexDigit && $0.isASCII || ":.".contains($0) }
        }

        private static func isLetterOrDigit(_ character: Character) -> Bool {
            character.isASCII && (character.isLetter || character.isNumber)
        }
    }
#endif
