// SPDX-License-Identifier: Apache-2.0

/// The numbers of the fields of an entity: Datastore's form of a document, which exports hold.
enum EntityLayout {
    static let key = 13
    /// A property that may be indexed: only empty lists are written as such.
    static let property = 14
    static let rawProperty = 15
    static let group = 16

    enum Key {
        static let app = 13
        static let path = 14
        static let database = 23
        /// A group for each pair of a collection and a document ID.
        static let element = 1
        static let kind = 2
        static let number = 3
        static let name = 4
    }

    enum Property {
        static let meaning = 1
        static let name = 3
        static let isMultiple = 4
        static let value = 5
    }

    enum Value {
        static let integer = 1
        static let boolean = 2
        static let string = 3
        static let double = 4
        static let point = 5
        static let x = 6
        static let y = 7
        static let reference = 12
    }

    enum Reference {
        static let app = 13
        static let element = 14
        static let kind = 15
        static let number = 16
        static let name = 17
        static let database = 23
    }

    /// What a value means beyond its type.
    enum Meaning {
        static let timestamp: UInt64 = 7
        static let point: UInt64 = 9
        static let bytes: UInt64 = 14
        /// Datastore's short bytes.
        static let shortBytes: UInt64 = 16
        static let entity: UInt64 = 19
        static let emptyList: UInt64 = 24
        /// Each element of a vector has it.
        static let vector: UInt64 = 31
    }

    /// Before the project's ID in an app's name, of an emulator; production has others.
    static let emulatorPrefix = "dev~"
}
