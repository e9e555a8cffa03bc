// SPDX-License-Identifier: Apache-2.0

/// Values of one type with their tags; nil for a value of another type, of which nothing but the tag is read.
extension StoredReader {
    mutating func taggedBoolean() throws(StoredFormatError) -> Bool? {
        switch unsafe try byte() {
        case StoredTag.true: true
        case StoredTag.false: false
        default: nil
        }
    }

    mutating func taggedInteger() throws(StoredFormatError) -> Int64? {
        unsafe try byte() == StoredTag.integer ? try integer() : nil
    }

    mutating func taggedDouble() throws(StoredFormatError) -> Double? {
        unsafe try byte() == StoredTag.double ? Double(bitPattern: try fixed()) : nil
    }

    mutating func taggedString() throws(StoredFormatError) -> String? {
        unsafe try byte() == StoredTag.string ? try text().string : nil
    }

    mutating func taggedTimestamp() throws(StoredFormatError) -> Timestamp? {
        unsafe try byte() == StoredTag.timestamp ? try timestamp() : nil
    }
}
