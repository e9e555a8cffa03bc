// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import SecurityRules

extension SecurityRules {
    /// Who reads or writes: `request.auth` of the rules.
    public struct Auth: Sendable {
        let value: RuleValue
        let id: Text?

        private init(value: RuleValue) {
            self.value = value
            id = value.userID
        }

        /// Nobody has signed in: `request.auth` is null.
        public static let signedOut = Auth(value: .null)

        /// A user who has signed in: `request.auth.uid` is the ID.
        ///
        /// - Parameters:
        ///   - id: `request.auth.uid`.
        ///   - claims: further members of `request.auth.token`, such as `["email": "a@example.com", "admin": true]`. It has the ID as
        ///     `sub` and `user_id`.
        public static func user(_ id: String, claims: [String: Claim] = [:]) -> Auth {
            let all = claims.merging(["sub": .string(id), "user_id": .string(id)]) { _, own in own }
            return Auth(value: Claims.auth(Claim.map(all).node))
        }
    }

    /// A value in a user's token. Write literals: `["level": 3, "groups": ["a", "b"]]`.
    public indirect enum Claim: Sendable, Hashable {
        /// Null.
        case null
        /// True or false.
        case bool(Bool)
        /// A whole number.
        case int(Int64)
        /// A number. It is an int for the rules if it is whole.
        case double(Double)
        /// A text.
        case string(String)
        /// A list.
        case list([Claim])
        /// A map.
        case map([String: Claim])

        var node: JSONNode {
            switch self {
            case .null: JSONNode(.null)
            case .bool(let bool): JSONNode(.boolean(bool))
            case .int(let number): JSONNode(.number(JSONNumber(number)))
            case .double(let number): JSONNode(.number(JSONNumber(text: "\(number)")))
            case .string(let text): JSONNode(.string(text))
            case .list(let claims): JSONNode(.array(claims.map(\.node)))
            case .map(let claims):
                JSONNode(
                    .object(
                        claims.sorted { $0.key < $1.key }.map { JSONMember(key: $0.key, node: $0.value.node) }))
            }
        }
    }
}

extension SecurityRules.Claim: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Null.
    public init(nilLiteral: ()) { self = .null }

    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A whole number.
    public init(integerLiteral value: Int64) { self = .int(value) }

    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A list.
    public init(arrayLiteral elements: SecurityRules.Claim...) { self = .list(elements) }

    /// A map. Of equal keys the last counts.
    public init(dictionaryLiteral elements: (String, SecurityRules.Claim)...) {
        self = .map(Dictionary(elements) { _, last in last })
    }
}
