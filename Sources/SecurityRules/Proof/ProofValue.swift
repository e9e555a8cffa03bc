// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension Value {
    /// A constant of a condition; nil for what is no scalar of a document.
    init?(scalar value: RuleValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .boolean(bool)
        case .int(let number): self = .integer(number)
        case .float(let number): self = .double(number)
        case .string(let text): self = .string(text)
        default: return nil
        }
    }

    /// Nil if it is larger than the room.
    func taken(from room: inout Int) -> Value? {
        take(from: &room)
        return room >= 0 ? self : nil
    }

    private func take(from room: inout Int) {
        guard room >= 0 else { return }
        room -= 1
        switch self {
        case .string(let text): room -= text.utf8Count
        case .bytes(let bytes): room -= bytes.count
        case .vector(let components): room -= components.count
        case .array(let elements): for element in elements { element.take(from: &room) }
        case .map(let fields): for field in fields { field.value.take(from: &room) }
        case .null, .boolean, .integer, .double, .timestamp, .reference, .geoPoint: return
        }
    }
}
