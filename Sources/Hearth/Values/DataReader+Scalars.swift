// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation

// Values that contain no others, and lists of them.
extension DataReader {
    /// The most common types, compared exactly. A cast that fails first asks what Foundation could make of the value,
    /// which takes thousands of instructions.
    func commonScalar(_ input: Any) throws(FirestoreError) -> Value? {
        if let value = Value(commonScalar: input) { return value }
        guard type(of: input) == Timestamp.self, let timestamp = input as? Timestamp else { return nil }
        return try time(timestamp)
    }

    private func time(_ timestamp: Timestamp) throws(FirestoreError) -> Value {
        let stored = try timestamp.stored()
        return keepsNanoseconds && timestamp.nanoseconds % 1_000 != 0
            ? ExactTime.value(stored, nanoseconds: timestamp.nanoseconds) : .timestamp(stored)
    }

    /// Lists of the most common types.
    mutating func commonList(_ input: Any, at place: Place) throws(FirestoreError) -> Value? {
        if type(of: input) == [Any].self, let list = input as? [Any] { return try array(list, at: place) }
        // Where strings would be too deep, each of them is refused.
        guard !place.isElement, place.depth <= DocumentLimits.maximumDepth, let list = Value(strings: input) else {
            return nil
        }
        note(place)
        return list
    }

    /// Nil if the value is not a scalar.
    mutating func scalar(_ input: Any, at place: Place) throws(FirestoreError) -> Value? {
        // An NSNumber casts to Bool, Int and Double alike, so its own type is checked first.
        if type(of: input) is NSNumber.Type, let number = input as? NSNumber { return try read(number, at: place) }
        if type(of: input) == Decimal.self, let number = input as? Decimal { return .double(number.nearestDouble) }
        switch input {
        case let text as String: return .string(Text(text))
        case let boolean as Bool: return .boolean(boolean)
        case let integer as Int: return .integer(Int64(integer))
        case let number as Double: return .double(number)
        case let timestamp as Timestamp: return try time(timestamp)
        case let date as Date: return .timestamp(try Timestamp(date: date).stored())
        case is NSNull: return .null
        case let bytes as Data: return .bytes([UInt8](bytes))
        case let reference as DocumentReference: return .reference(try read(reference, at: place))
        case let point as GeoPoint: return .geoPoint(try point.stored())
        case let vector as VectorValue: return .vector(vector.array)
        default: return try otherNumber(input, at: place)
        }
    }

    private func otherNumber(_ input: Any, at place: Place) throws(FirestoreError) -> Value? {
        switch input {
        case let integer as Int64: .integer(integer)
        case let integer as Int32: .integer(Int64(integer))
        case let integer as Int16: .integer(Int64(integer))
        case let integer as Int8: .integer(Int64(integer))
        case let integer as UInt8: .integer(Int64(integer))
        case let integer as UInt16: .integer(Int64(integer))
        case let integer as UInt32: .integer(Int64(integer))
        case let integer as UInt: try unsigned(UInt64(integer), at: place)
        case let integer as UInt64: try unsigned(integer, at: place)
        case let number as Float: .double(Double(number))
        case let number as CGFloat: .double(Double(number))
        case let number as Decimal: .double(number.nearestDouble)
        default: nil
        }
    }

    private func unsigned(_ number: UInt64, at place: Place) throws(FirestoreError) -> Value {
        guard let integer = Int64(exactly: number) else {
            throw .invalidArgument("NSNumber (\(number)) is too large\(place.suffix)")
        }
        return .integer(integer)
    }

    /// Converts by the type that the number was created with.
    private func read(_ number: NSNumber, at place: Place) throws(FirestoreError) -> Value {
        if let number = number as? NSDecimalNumber { return .double(number.decimalValue.nearestDouble) }
        return switch String(cString: number.objCType) {
        case "f", "d": .double(number.doubleValue)
        case "B", "c", "C": .boolean(number.boolValue)
        case "Q", "L": try unsigned(number.uint64Value, at: place)
        default: .integer(number.int64Value)
        }
    }

    private mutating func read(_ reference: DocumentReference, at place: Place) throws(FirestoreError) -> Reference {
        referenced = reference.firestore
        let stored = try reference.stored()
        guard let database, reference.foreign == nil, reference.firestore.state !== database.state else {
            return stored
        }
        let own = try database.identity()
        guard stored.database == own else {
            throw .invalidArgument(
                "Document Reference is for database \(stored.database.project)/\(stored.database.database) but should be "
                    + "for database \(own.project)/\(own.database)\(place.suffix)")
        }
        return stored
    }
}
