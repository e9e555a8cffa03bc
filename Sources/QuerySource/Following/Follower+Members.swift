// SPDX-License-Identifier: Apache-2.0

/// Members and elements of values.
extension Follower {
    mutating func followMember(_ object: Expression, _ name: String, _ offset: Int) -> Alternatives {
        if case .name(let owner) = object.kind {
            if ["this", "self", "$this", "super", "widget", "cls"].contains(owner) {
                return field(name)
                    ?? .unknown("'\(owner).\(name)', which this file does not set", name: "\(owner).\(name)")
            }
            if owner == "FieldPath", ["documentId", "DocumentId", "documentID"].contains(name) {
                return Alternatives(.field(.documentName))
            }
        }
        if let constant = constant(named: name) { return constant }
        let text = object.sourceText.map { "\($0).\(name)" }
        let owners = follow(object)
        return owners.mapped { value in
            switch value {
            case .fields(let members):
                let known = members.last { $0.key == name }?.value
                return withChanges(known ?? .unknown(Unknown(what: "the member '\(name)'", name: text)), text)
            case .type(let offset):
                return fields[offset]?[name]?.value.values
                    ?? [ofOtherFile(text, "'\(text ?? name)', which this file does not set")]
            case .query(let shape): return [memberOfQuery(shape, name, offset, owners.isCut)]
            case .text where ["rawValue", "value", "name"].contains(name): return [value]
            case .document where name == "parent": return [.unknown(Unknown(what: "the collection of a document"))]
            case .null: return [.null]
            case .result: return [.result]
            case .unknown(let unknown):
                if unknown.shared != nil, let changed = changed(text) { return [changed] }
                let shared = unknown.shared?.member(name)
                if let constant = shared.flatMap({ hints.constant($0, as: text) }) { return [constant] }
                let what = "'\(text ?? "a value.\(name)")', which this file does not define"
                return [.unknown(Unknown(what: what, name: text, shared: shared))]
            default:
                if let constant = text.flatMap({ hints.constant(named: $0) }), !isOfFile(object) { return [constant] }
                let what = "'\(text ?? "a value.\(name)")', which this file does not define"
                return [.unknown(Unknown(what: what, name: text))]
            }
        }
    }

    /// A constant of another file; unknown if there is none.
    private func ofOtherFile(_ name: String?, _ what: String) -> Known {
        name.flatMap { hints.constant(named: $0) } ?? .unknown(Unknown(what: what, name: name))
    }

    /// Whether the file defines what stands first in a chain of members.
    private func isOfFile(_ object: Expression) -> Bool {
        switch object.kind {
        case .name(let name): lookUp(name) != nil
        case .member(let object, _): isOfFile(object)
        default: true
        }
    }

    /// A member of an object, which may have another value if the file assigns to it.
    private func withChanges(_ value: Known, _ name: String?) -> [Known] {
        guard case .text = value, let changed = changed(name) else { return [value] }
        return [value, changed]
    }

    /// What a member is to which the file assigns; nil if it does not.
    private func changed(_ name: String?) -> Known? {
        guard let name, hints.isAssigned(name) else { return nil }
        return .unknown(Unknown(what: "'\(name)', to which this file assigns", name: name))
    }

    mutating func followIndex(_ object: Expression, _ index: Expression) -> Alternatives {
        let place = follow(index)
        let text = object.sourceText
        let what = "an element that only the running program knows"
        return follow(object).combined(with: place) { object, index in
            switch (object, index) {
            case (.fields(let members), .text(let pieces)):
                guard let key = pieces.constant else { return members.map(\.value) }
                let known = members.last { $0.key == key }?.value ?? .unknown(Unknown(what: "the member '\(key)'"))
                return withChanges(known, text.map { "\($0).\(key)" })
            case (.unknown(let unknown), .text(let pieces)):
                guard let key = pieces.constant, let shared = unknown.shared?.member(key) else { break }
                if let changed = changed(text.map { "\($0).\(key)" }) { return [changed] }
                return [hints.constant(shared, as: nil) ?? .unknown(Unknown(what: what, shared: shared))]
            case (.list(let elements, _), .number(let text)):
                guard let number = Int(text), elements.indices.contains(number) else { break }
                return [elements[number]]
            default: break
            }
            return [.unknown(Unknown(what: what))]
        }
    }
}
