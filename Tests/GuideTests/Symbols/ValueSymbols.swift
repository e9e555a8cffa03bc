// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct ValueSymbols {
    @Test func fieldValues() async throws {
        let city = try emptyDatabase().document("cities/SF")
        try await city.setData(["list": [1, 2], "n": 1, "old": true])
        // FieldValue
        let time: FieldValue
        // FieldValue.serverTimestamp()
        time = FieldValue.serverTimestamp()
        try await city.updateData([
            // FieldValue.delete()
            "old": FieldValue.delete(),
            // FieldValue.arrayUnion(_:)
            "list": FieldValue.arrayUnion([3]),
            // FieldValue.increment(_:)
            "n": FieldValue.increment(Int64(2)), "x": FieldValue.increment(0.5),
            // FieldValue.minimum(_:)
            "least": FieldValue.minimum(Int64(2)), "lesser": FieldValue.minimum(0.5),
            // FieldValue.maximum(_:)
            "most": FieldValue.maximum(Int64(2)), "more": FieldValue.maximum(0.5),
            // FieldValue.vector(_:)
            "vector": FieldValue.vector([1.0, 2.0]), "small": FieldValue.vector([Float(1), Float(2)]),

            "time": time,
        ])
        // FieldValue.arrayRemove(_:)
        try await city.updateData(["list": FieldValue.arrayRemove([1])])
        let document = try await city.getDocument()
        #expect(document["list"] as? [Int] == [2, 3])
        #expect(document["n"] as? Int == 3 && document["x"] as? Double == 0.5 && document["old"] == nil)
        #expect(document["least"] as? Int == 2 && document["more"] as? Double == 0.5)
        #expect(document["time"] is Timestamp)
        #expect(document["vector"] as? VectorValue == document["small"] as? VectorValue)
    }

    @Test func vectors() {
        // VectorValue
        let vector: VectorValue
        // VectorValue.init(_:)
        vector = VectorValue([1, 2.5])
        // VectorValue.array
        #expect(vector.array == [1, 2.5])
    }

    @Test func fieldPaths() {
        // FieldPath
        var path: FieldPath
        // FieldPath.init(_:)
        path = FieldPath(["mayor", "name"])
        #expect(path == FieldPath(["mayor", "name"]))
        // FieldPath.documentID()
        path = FieldPath.documentID()
        #expect(path != FieldPath(["mayor"]))
    }

    @Test func points() {
        // GeoPoint
        let point: GeoPoint
        // GeoPoint.init(latitude:longitude:)
        point = GeoPoint(latitude: 37.77, longitude: -122.42)
        // GeoPoint.latitude
        #expect(point.latitude == 37.77)
        // GeoPoint.longitude
        #expect(point.longitude == -122.42)
    }

    @Test func timestamps() {
        // Timestamp
        var time: Timestamp
        // Timestamp.init()
        time = Timestamp()
        #expect(time.seconds > 1_700_000_000)
        // Timestamp.init(date:)
        time = Timestamp(date: Date(timeIntervalSince1970: 1.5))
        #expect(time.nanoseconds == 500_000_000)
        // Timestamp.init(seconds:nanoseconds:)
        time = Timestamp(seconds: 1, nanoseconds: 2)
        // Timestamp.seconds
        let seconds: Int64 = time.seconds
        // Timestamp.nanoseconds
        let nanoseconds: Int32 = time.nanoseconds
        #expect(seconds == 1 && nanoseconds == 2)
        // Timestamp.dateValue()
        let date: Date = Timestamp(seconds: 7, nanoseconds: 0).dateValue()
        #expect(date == Date(timeIntervalSince1970: 7))
        // Timestamp.compare(_:)
        #expect(time.compare(Timestamp(seconds: 1, nanoseconds: 3)) == .orderedAscending)
        #expect(time.compare(time) == .orderedSame && Timestamp().compare(time) == .orderedDescending)
    }

    @Test func errors() async throws {
        // FirestoreErrorDomain
        #expect(FirestoreErrorDomain == "FIRFirestoreErrorDomain")
        do {
            try await emptyDatabase().document("cities/SF").updateData(["n": 1])
            Issue.record("a missing document was updated")
        } catch let error as FirestoreErrorCode {
            // FirestoreErrorCode
            // FirestoreErrorCode.code
            #expect(error.code == FirestoreErrorCode.notFound)
            // FirestoreErrorCode.Code
            #expect(FirestoreErrorCode.Code(rawValue: (error as NSError).code) == .notFound)
            // FirestoreErrorCode.init(_:userInfo:)
            #expect(FirestoreErrorCode(.notFound, userInfo: [NSLocalizedDescriptionKey: "none"]).code == error.code)
        }
        let codes = [
            // FirestoreErrorCode.ok
            FirestoreErrorCode.ok.rawValue,
            // FirestoreErrorCode.cancelled
            FirestoreErrorCode.cancelled.rawValue,
            // FirestoreErrorCode.unknown
            FirestoreErrorCode.unknown.rawValue,
            // FirestoreErrorCode.invalidArgument
            FirestoreErrorCode.invalidArgument.rawValue,
            // FirestoreErrorCode.deadlineExceeded
            FirestoreErrorCode.deadlineExceeded.rawValue,
            // FirestoreErrorCode.notFound
            FirestoreErrorCode.notFound.rawValue,
            // FirestoreErrorCode.alreadyExists
            FirestoreErrorCode.alreadyExists.rawValue,
            // FirestoreErrorCode.permissionDenied
            FirestoreErrorCode.permissionDenied.rawValue,
            // FirestoreErrorCode.resourceExhausted
            FirestoreErrorCode.resourceExhausted.rawValue,
            // FirestoreErrorCode.failedPrecondition
            FirestoreErrorCode.failedPrecondition.rawValue,
            // FirestoreErrorCode.aborted
            FirestoreErrorCode.aborted.rawValue,
            // FirestoreErrorCode.outOfRange
            FirestoreErrorCode.outOfRange.rawValue,
            // FirestoreErrorCode.unimplemented
            FirestoreErrorCode.unimplemented.rawValue,
            // FirestoreErrorCode.internal
            FirestoreErrorCode.internal.rawValue,
            // FirestoreErrorCode.unavailable
            FirestoreErrorCode.unavailable.rawValue,
            // FirestoreErrorCode.dataLoss
            FirestoreErrorCode.dataLoss.rawValue,
            // FirestoreErrorCode.unauthenticated
            FirestoreErrorCode.unauthenticated.rawValue,
        ]
        #expect(codes == Array(0...16))
    }
}
