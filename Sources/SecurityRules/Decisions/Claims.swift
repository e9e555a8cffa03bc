// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import JSONText

/// `request.auth` of a caller's claims.
package enum Claims {
    /// A map of `uid`, which is the claim `sub` or null, and `token` with all claims.
    package static func auth(_ claims: JSONNode) -> RuleValue {
        let uid = claims["sub"]?.string.map { RuleValue.string(Text($0)) } ?? .null
        return .map(RuleMap([("uid", uid), ("token", value(claims))]))
    }

    /// JSON as rules see it. A number without a fraction is an int if it fits.
    static func value(_ node: JSONNode) -> RuleValue {
        switch node.value {
        case .null: .null
        case .boolean(let bool): .bool(bool)
        case .number(let number):
            number.int64.map(RuleValue.int) ?? Int64(exactly: number.double).map(RuleValue.int) ?? .float(number.double)
        case .string(let text): .string(Text(text))
        case .array(let elements): .list(RuleList(elements.map(value)))
        case .object(let members): .map(RuleMap(members.map { (Text($0.key), value($0.node)) }))
        }
    }
}
