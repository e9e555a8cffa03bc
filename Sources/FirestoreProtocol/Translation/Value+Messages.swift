// SPDX-License-Identifier: Apache-2.0

#if Server || Connected
    package import DocumentModel
    package import SwiftProtobuf

    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension Value {
        /// The value of a message. References may lie in any database.
        package init(_ message: ProtoValue, in database: DatabaseID) throws(RequestError) {
            switch message.valueType {
            case .nullValue: self = .null
            case .booleanValue(let flag): self = .boolean(flag)
            case .integerValue(let number): self = .integer(number)
            case .doubleValue(let number): self = .double(number)
            case .timestampValue(let time): self = .timestamp(try Timestamp(time))
            case .stringValue(let text): self = .string(Text(text))
            case .bytesValue(let bytes): self = .bytes(Array(bytes))
            case .referenceValue(let name): self = .reference(try Value.reference(name, database))
            case .geoPointValue(let point): self = .geoPoint(try GeoPoint(point))
            case .arrayValue(let array):
                var elements: [Value] = []
                elements.reserveCapacity(array.values.count)
                for element in array.values { elements.append(try Value(element, in: database)) }
                self = .array(elements)
            case .mapValue(let map):
                let fields = try Fields(map.fields, in: database)
                self = VectorForm.vector(fields).map(Value.vector) ?? .map(fields)
            case .fieldReferenceValue, .variableReferenceValue:
                throw .invalid("Cannot convert firestore.v1.Value with type unsupported outside of pipelines.")
            case nil: throw .invalid("Cannot convert firestore.v1.Value with type unset.")
            }
        }

        private static func reference(_ name: String, _ database: DatabaseID) throws(RequestError) -> Reference {
            do throws(DocumentFormError) {
                return try DocumentNames.full(in: database).reference(name)
            } catch {
                throw RequestError(error)
            }
        }

        /// The message of a value.
        package var message: ProtoValue {
            var message = ProtoValue()
            switch self {
            case .null: message.nullValue = .nullValue
            case .boolean(let flag): message.booleanValue = flag
            case .integer(let number): message.integerValue = number
            case .double(let number): message.doubleValue = number
            case .timestamp(let time): message.timestampValue = time.message
            case .string(let text): message.stringValue = text.string
            case .bytes(let bytes): message.bytesValue = Data(bytes)
            case .reference(let reference): message.referenceValue = reference.resourceName
            case .geoPoint(let point):
                message.geoPointValue.latitude = point.latitude
                message.geoPointValue.longitude = point.longitude
            case .array(let elements):
                message.arrayValue = ProtoArrayValue()
                message.arrayValue.values = elements.map(\.message)
            case .vector(let elements): message.mapValue = VectorForm.fields(elements).mapMessage
            case .map(let fields): message.mapValue = fields.mapMessage
            }
            return message
        }
    }

    extension Fields {
        package init(_ messages: [ProtoFieldEntry], in database: DatabaseID) throws(RequestError) {
            var fields: [Field] = []
            fields.reserveCapacity(messages.count)
            for entry in messages { fields.append(Field(Text(entry.key), try Value(entry.value, in: database))) }
            // The last entry of a name counts, as in every map of protobuf.
            self = Fields(fields) ?? Fields(lastOfEach: fields)
        }

        package var messages: [ProtoFieldEntry] {
            var messages: [ProtoFieldEntry] = []
            messages.reserveCapacity(count)
            for field in self {
                var entry = ProtoFieldEntry()
                entry.key = field.name.string
                entry.value = field.value.message
                messages.append(entry)
            }
            return messages
        }

        fileprivate var mapMessage: ProtoMapValue {
            var map = ProtoMapValue()
            map.fields = messages
            return map
        }
    }

    extension GeoPoint {
        fileprivate init(_ message: ProtoLatLng) throws(RequestError) {
            guard (-90...90).contains(message.latitude) else {
                throw .invalid("Geo point latitude '\(message.latitude)' outside permitted range -90.0 to 90.0.")
            }
            guard let point = GeoPoint(latitude: message.latitude, longitude: message.longitude) else {
                throw .invalid("Geo point longitude '\(message.longitude)' outside permitted range -180.0 to 180.0.")
            }
            self = point
        }
    }

    extension Timestamp {
        package init(_ message: Google_Protobuf_Timestamp) throws(RequestError) {
            guard let time = Timestamp(seconds: message.seconds, nanoseconds: message.nanos) else {
                throw .invalid("Timestamp value exceeds limits")
            }
            self = time
        }

        package var message: Google_Protobuf_Timestamp {
            let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
            let floor = remainder < 0 ? quotient - 1 : quotient
            return Google_Protobuf_Timestamp(seconds: floor, nanos: Int32(microseconds - floor * 1_000_000) * 1_000)
        }
    }
#endif
