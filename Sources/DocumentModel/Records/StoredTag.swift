// SPDX-License-Identifier: Apache-2.0

/// The first byte of a stored value. docs/format.md describes the bytes that follow.
enum StoredTag {
    static let null: UInt8 = 0
    static let `false`: UInt8 = 1
    static let `true`: UInt8 = 2
    static let integer: UInt8 = 3
    static let double: UInt8 = 4
    static let timestamp: UInt8 = 5
    static let string: UInt8 = 6
    static let bytes: UInt8 = 7
    /// A reference into the database that stores it.
    static let localReference: UInt8 = 8
    static let foreignReference: UInt8 = 9
    static let geoPoint: UInt8 = 10
    static let array: UInt8 = 11
    static let vector: UInt8 = 12
    static let map: UInt8 = 13
}
