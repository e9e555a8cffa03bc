// SPDX-License-Identifier: Apache-2.0

/// A line that is being written: characters as people count them, and the place among them where the next goes.
struct EditedLine {
    private(set) var characters: [Character] = []
    private(set) var cursor = 0

    init() {}

    init(_ text: String) {
        characters = Array(text)
        cursor = characters.count
    }

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }
    var beforeCursor: String { String(characters[..<cursor]) }

    /// Puts text at the cursor. A scalar that combines joins the character before it. What would control the terminal, and
    /// line breaks, become spaces.
    mutating func insert(_ text: String) {
        var before = beforeCursor
        for scalar in text.unicodeScalars {
            let isHarmless = scalar != "\n" && !ControlCharacters.contains(scalar)
            before.unicodeScalars.append(isHarmless ? scalar : " ")
        }
        let rest = characters[cursor...]
        characters = Array(before)
        cursor = characters.count
        characters += rest
    }

    mutating func replaceBeforeCursor(last count: Int, by text: String) {
        characters.removeSubrange(cursor - count..<cursor)
        cursor -= count
        insert(text)
    }

    mutating func apply(_ key: Key) {
        switch key {
        case .text(let text), .paste(let text): insert(text)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .start: cursor = 0
        case .end: cursor = characters.count
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .eraseBack: erase(max(0, cursor - 1)..<cursor)
        case .eraseForward: erase(cursor..<min(characters.count, cursor + 1))
        case .eraseWord: erase(wordStart..<cursor)
        case .eraseToStart: erase(0..<cursor)
        case .eraseToEnd: erase(cursor..<characters.count)
        default: break
        }
    }

    private mutating func erase(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    private var wordStart: Int {
        var place = cursor
        while place > 0, !EditedLine.isWord(characters[place - 1]) { place -= 1 }
        while place > 0, EditedLine.isWord(characters[place - 1]) { place -= 1 }
        return place
    }

    private var wordEnd: Int {
        var place = cursor
        while place < characters.count, !EditedLine.isWord(characters[place]) { place += 1 }
        while place < characters.count, EditedLine.isWord(characters[place]) { place += 1 }
        return place
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// The part that fits into a width, with the cursor in it, and the cursor's column there.
    func window(_ width: Int) -> (text: String, column: Int) {
        var first = cursor
        var column = 0
        while first > 0, column + characters[first - 1].displayWidth < width {
            first -= 1
            column += characters[first].displayWidth
        }
        var last = cursor
        var used = column
        while last < characters.count, used + characters[last].displayWidth < width {
            used += characters[last].displayWidth
            last += 1
        }
        return (String(characters[first..<last]), column)
    }
}
