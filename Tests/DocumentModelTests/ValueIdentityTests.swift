// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

@Suite struct ValueIdentityTests {
    /// Payloads stay small, because otherwise every array of values doubles in size.
    @Test func aValueTakes17Bytes() {
        #expect(MemoryLayout<Value>.size == 17)
        #expect(MemoryLayout<Value?>.size == 17)
        #expect(MemoryLayout<Value>.stride == 24)
    }

    /// V-10, V-11, V-17: equal values that are stored differently, at any depth.
    @Test(
        arguments: [
            (.integer(3), .double(3)), (.integer(0), .double(-0.0)), (.double(0), .double(-0.0)),
            (.geoPoint(GeoPoint(latitude: 0, longitude: 0)!), .geoPoint(GeoPoint(latitude: -0.0, longitude: 0)!)),
            (.geoPoint(GeoPoint(latitude: 0, longitude: 0)!), .geoPoint(GeoPoint(latitude: 0, longitude: -0.0)!)),
            (.vector([0]), .vector([-0.0])), ([1, 2], [1, 2.0]), (["a": ["b": [3]]], ["a": ["b": [3.0]]]),
            (.integer(.min), .double(-0x1p63)),
        ] as [(Value, Value)])
    func equalButNotIdentical(_ one: Value, _ other: Value) {
        #expect(one == other)
        #expect(!one.isIdentical(to: other))
        #expect(!other.isIdentical(to: one))
        #expect(one.isIdentical(to: one) && other.isIdentical(to: other))
        #expect(Set([one, other]).count == 1)
    }

    /// V-10: all NaN payloads are one value.
    @Test func everyNaNIsIdenticalToNaN() {
        let nans: [Double] = [.nan, -.nan, .signalingNaN, Double(bitPattern: 0x7FF8_0000_0000_0001)]
        for one in nans {
            for other in nans {
                #expect(Value.double(one).isIdentical(to: .double(other)))
                #expect(Value.double(one) == .double(other))
                #expect(Value.vector([one]).isIdentical(to: .vector([other])))
                #expect(Value.double(one).hashValue == Value.double(other).hashValue)
                #expect(key(.double(one)) == key(.double(other)))
            }
        }
    }

    /// Identical values are equal, and equal values have the same hash, over near misses and the hard cases.
    @Test func identityEqualityAndHashAgree() throws {
        let nearMiss = NearMiss()
        try check(
            count: Rounds.of(8_000),
            generate: { random in
                let group = random.pick(HardCases.ascendingGroups)
                if random.chance(0.2) { return (random.pick(group), random.pick(group)) }
                let value = nearMiss.values.value(&random)
                return (value, random.chance(0.2) ? value : nearMiss.value(value, &random))
            }
        ) { one, other in
            let isEqual = one == other
            if one.isIdentical(to: other), !isEqual { return "\(one) and \(other) are identical, not equal" }
            if one.isIdentical(to: other) != other.isIdentical(to: one) { return "\(one) and \(other): one way only" }
            if isEqual, one.hashValue != other.hashValue { return "\(one) and \(other) have two hashes" }
            if isEqual != (Set([one, other]).count == 1) { return "\(one) and \(other) in a set" }
            return one.isIdentical(to: one) ? nil : "\(one) is not identical to itself"
        }
    }

    /// Equal references have equal hashes, whether or not they share the database object.
    @Test func databasesCompareByName() {
        let path = ResourcePath(segments: ["c", "d"])
        let (one, other) = (DatabaseID(project: "p"), DatabaseID(project: "p"))
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(Reference(database: one, path: path) == Reference(database: other, path: path))
        #expect(
            Value.reference(Reference(database: one, path: path)).isIdentical(
                to: .reference(Reference(database: other, path: path))))
        #expect(one != DatabaseID(project: "p", database: "x"))
    }

    /// Values of different classes are never equal, and sort by class (V-2).
    @Test func typeClassesFollowTheOrder() {
        for group in HardCases.ascendingGroups {
            for other in HardCases.ascendingGroups where group[0].typeClass < other[0].typeClass {
                #expect(group[0] < other[0])
                #expect(!group[0].isIdentical(to: other[0]))
            }
        }
    }

    @Test func nullAndNaNAreKnown() {
        for value in HardCases.ascendingGroups.joined() {
            #expect(value.isNull == (value.typeClass == .null))
            #expect(value.isNaN == value.isIdentical(to: .double(.nan)))
        }
    }
}
