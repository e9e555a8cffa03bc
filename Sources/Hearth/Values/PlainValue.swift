// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation

extension Value {
    /// The value as `data()` gives it: numbers as `NSNumber`, null as `NSNull`, maps as dictionaries.
    func plain(in database: Database) -> Any {
        switch self {
        case .null: NSNull()
        case .boolean(let boolean): boolean
        case .integer(let integer): NSNumber(value: integer)
        case .double(let number): NSNumber(value: number)
        case .timestamp(let timestamp): Timestamp(timestamp)
        case .string(let text): text.string
        case .bytes(let bytes): Data(bytes)
        case .reference(let reference): DocumentReference(reference, in: database)
        case .geoPoint(let point): GeoPoint(point)
        case .array(let elements): elements.map { $0.plain(in: database) }
        case .vector(let elements): VectorValue(elements)
        case .map(let fields): fields.plain(in: database)
        }
    }
}

extension Fields {
    func plain(in database: Database) -> [String: Any] {
        var plain = [String: Any](minimumCapacity: count)
        // Names that differ in their bytes may be one key in Swift. The later one wins.
        for field in self { plain[field.name.string] = field.value.plain(in: database) }
        return plain
    }
}
