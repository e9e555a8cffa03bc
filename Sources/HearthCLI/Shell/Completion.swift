// SPDX-License-Identifier: Apache-2.0

/// What could stand in place of the last characters before the cursor.
struct Completion {
    /// In alphabetical order.
    let words: [String]
    /// How many characters the words replace.
    let length: Int

    static let none = Completion(words: [], length: 0)

    init(words: [String], length: Int) {
        self.words = words
        self.length = length
    }

    /// Those of the words that begin with what has been written.
    init(_ words: some Sequence<String>, continuing start: String) {
        self.words = Set(words.filter { $0.hasPrefix(start) }).sorted()
        length = start.count
    }

    /// With what all of them begin; nil if there are none.
    var common: String? {
        guard var common = words.first else { return nil }
        for word in words { while !word.hasPrefix(common) { common.removeLast() } }
        return common
    }
}
