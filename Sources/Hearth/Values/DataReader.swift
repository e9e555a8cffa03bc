// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import Foundation

/// Converts Swift values to fields, and the sentinels among them to a mask and transforms (W-8 to W-11). Errors have
/// the client library's texts.
struct DataReader {
    enum Purpose {
        /// `setData`.
        case set
        /// `setData` with a merge, which fills ``mask`` with the leaves.
        case merge
        /// One value of `updateData`.
        case update
        /// An operand of a query or of an array transform.
        case argument
        /// The list of an `in` or `not-in` filter, whose elements may be arrays.
        case argumentList
        /// Data that is decoded, not stored. It may have any form that ``Database/Encoder`` makes.
        case decoded
    }

    private let purpose: Purpose
    /// References to documents of other databases are refused. Nil disables this check.
    let database: Database?
    private(set) var mask: [DocumentModel.FieldPath] = []
    private(set) var transforms: [FieldTransform] = []
    /// The database of the last reference that was read.
    var referenced: Database?

    init(_ purpose: Purpose, database: Database? = nil) {
        self.purpose = purpose
        self.database = database
    }

    /// See ``ExactTime``.
    var keepsNanoseconds: Bool { purpose == .decoded }

    private var storesData: Bool {
        switch purpose {
        case .set, .merge, .update: true
        case .argument, .argumentList, .decoded: false
        }
    }

    /// The location of a value.
    struct Place {
        /// The path of the enclosing map; nil inside arrays, which no path enters.
        private let outer: [Text]?
        /// Nil for the document itself.
        private var name: Text?
        var isElement = false
        let depth: Int

        static let root = Place(path: [])

        init(path: [Text]?, isElement: Bool = false, depth: Int = 0) {
            outer = path
            self.isElement = isElement
            self.depth = depth
        }

        /// - Parameter path: of the map that holds the field.
        init(_ name: Text, in path: [Text]?, depth: Int) {
            self.init(path: path, depth: depth)
            self.name = name
        }

        /// Empty for the document itself. Built on demand, which is rare.
        var path: [Text]? {
            guard let name else { return outer }
            return outer.map { $0 + [name] }
        }

        var element: Place { Place(path: nil, isElement: true, depth: depth + 1) }

        var fieldPath: DocumentModel.FieldPath? {
            guard let path, !path.isEmpty else { return nil }
            return DocumentModel.FieldPath(path)
        }

        /// The suffix of error messages.
        var suffix: String { fieldPath.map { " (found in field \($0))" } ?? "" }
    }

    /// The fields of a document or map.
    mutating func fields(_ data: [String: Any], at place: Place = .root) throws(FirestoreError) -> Fields {
        if data.isEmpty { note(place) }
        let path = place.path
        var fields: [Field] = []
        fields.reserveCapacity(data.count)
        for (key, input) in data {
            let name = Text(key)
            let inner = Place(name, in: path, depth: place.depth + 1)
            try checkName(name, at: inner)
            if let value = try value(input, at: inner) { fields.append(Field(name, value)) }
        }
        // The keys of a dictionary differ by canonical equivalence, so their bytes differ too.
        return Fields(sorting: fields)
    }

    /// The elements of an array transform.
    mutating func elements(_ inputs: [Any], at place: Place = .root) throws(FirestoreError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(inputs.count)
        for input in inputs { values.append(try value(input, at: place.element) ?? .null) }
        return values
    }

    /// Converts one value. Returns nil for a sentinel, which is recorded.
    mutating func value(_ input: Any, at place: Place = .root) throws(FirestoreError) -> Value? {
        guard place.depth <= DocumentLimits.maximumDepth + 1 || purpose == .decoded else {
            throw .invalidArgument("Property \(place.path?.first ?? "array") contains an invalid nested entity.")
        }
        if let scalar = try commonScalar(input) {
            note(place)
            return scalar
        }
        if let list = try commonList(input, at: place) { return list }
        if let list = input as? any SwiftList { return try array(list.elements, at: place) }
        if type(of: input) == [String: Any].self, let map = input as? [String: Any] {
            return .map(try fields(map, at: place))
        }
        if let wrapper = input as? any Wrapper { return try content(of: wrapper, at: place) }
        if let scalar = try scalar(input, at: place) {
            note(place)
            return scalar
        }
        switch input {
        case let map as [String: Any]: return .map(try fields(map, at: place))
        case let sentinel as FieldValue:
            try note(sentinel, at: place)
            return nil
        case let list as [Any]: return try array(list, at: place)
        default: throw .invalidArgument("Unsupported type: \(type(of: input))\(place.suffix)")
        }
    }

    /// Casts look through wrappers, but `type(of:)` does not: a wrapped `NSNumber` would be read as the first type that it casts to.
    private mutating func content(of wrapper: any Wrapper, at place: Place) throws(FirestoreError) -> Value? {
        var content = wrapper.content
        while let value = content, let inner = value as? any Wrapper { content = inner.content }
        if let content { return try value(content, at: place) }
        note(place)
        return .null
    }

    mutating func array(_ elements: [Any], at place: Place) throws(FirestoreError) -> Value {
        guard !place.isElement || purpose == .argumentList || purpose == .decoded else {
            throw .invalidArgument("Nested arrays are not supported")
        }
        note(place)
        return .array(try self.elements(elements, at: place))
    }

    /// Converts an operand of a query. Sentinels are refused.
    static func argument(_ input: Any, isList: Bool = false) throws(FirestoreError) -> Value {
        var reader = DataReader(isList ? .argumentList : .argument)
        return try reader.value(input) ?? .null
    }

    mutating func note(_ place: Place) {
        if purpose == .merge, let path = place.fieldPath { mask.append(path) }
    }

    private mutating func note(_ sentinel: FieldValue, at place: Place) throws(FirestoreError) {
        guard storesData else {
            throw .invalidArgument("\(sentinel.name) can only be used with updateData() and setData()\(place.suffix)")
        }
        guard let path = place.fieldPath else {
            throw .invalidArgument("\(sentinel.name) is not currently supported inside arrays")
        }
        switch (try sentinel.content.get(), purpose) {
        case (.transform(let operation), _): transforms.append(FieldTransform(path, operation))
        case (.delete, .merge): mask.append(path)
        case (.delete, .update):
            throw .invalidArgument(
                "FieldValue.delete() can only appear at the top level of your update data\(place.suffix)")
        case (.delete, _):
            throw .invalidArgument(
                "FieldValue.delete() can only be used with updateData() and setData() with merge:true\(place.suffix)")
        }
    }

    /// D-13.
    func checkName(_ name: Text, at place: Place) throws(FirestoreError) {
        guard name.utf8Count > 0 else {
            let parent = Place(path: place.path?.dropLast())
            throw .invalidArgument("Invalid data. Document fields must not be empty\(parent.suffix)")
        }
        let isReserved =
            name.string.utf8.first == UInt8(ascii: "_") && name.string.hasPrefix("__") && name.string.hasSuffix("__")
        if isReserved, storesData {
            throw .invalidArgument("Invalid data. Document fields cannot begin and end with \"__\"\(place.suffix)")
        }
    }
}

/// An array of any element type, recognized without Foundation.
private protocol SwiftList {
    var elements: [Any] { get }
}

extension Array: SwiftList {
    fileprivate var elements: [Any] { self as [Any] }
}

/// A value that contains another one, of any type.
private protocol Wrapper {
    /// Nil if it is a nil optional.
    var content: Any? { get }
}

extension Optional: Wrapper {
    fileprivate var content: Any? { map { $0 as Any } }
}

extension AnyHashable: Wrapper {
    fileprivate var content: Any? { base }
}
