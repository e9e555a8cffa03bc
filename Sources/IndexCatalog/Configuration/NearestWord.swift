// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The candidate that a misspelt word probably means; nil if none is close.
///
/// Tries, in this order: the same letters in another case or with other separators, a prefix or an extension (`DESC`),
/// a part (`group`), a few typing errors.
package func nearestWord(to word: String, among candidates: [String]) -> String? {
    let letters = lettersOnly(word)
    guard letters.count >= 3, letters.count <= 40 else { return nil }
    let spelled = candidates.map { (word: $0, letters: lettersOnly($0)) }
    if let same = spelled.first(where: { $0.letters == letters }) { return same.word }
    let extended = spelled.filter { $0.letters.starts(with: letters) || letters.starts(with: $0.letters) }
    if let closest = extended.min(by: { difference($0.letters, letters) < difference($1.letters, letters) }) {
        return closest.word
    }
    if let part = spelled.first(where: { contains($0.letters, letters) || contains(letters, $0.letters) }) {
        return part.word
    }
    let tolerance = max(1, letters.count / 3)
    let near = spelled.filter { difference($0.letters, letters) <= tolerance }
        .map { (word: $0.word, distance: editDistance($0.letters, letters)) }
    return near.filter { $0.distance <= tolerance }.min { $0.distance < $1.distance }?.word
}

/// Text of the file for messages: as JSON, shortened if it is long.
func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
        (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain, text.utf8.count <= 60 { return "\"\(text)\"" }
    let scalars = text.unicodeScalars
    let shown = scalars.count > 60 ? String(String.UnicodeScalarView(scalars.prefix(60))) + "…" : text
    return JSONNode.string(shown).text()
}

private func lettersOnly(_ word: String) -> [UInt8] {
    word.utf8.compactMap { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: " "), UInt8(ascii: "$"): nil
        default: byte
        }
    }
}

private func difference(_ left: [UInt8], _ right: [UInt8]) -> Int { abs(left.count - right.count) }

private func contains(_ whole: [UInt8], _ part: [UInt8]) -> Bool {
    guard part.count >= 3, part.count <= whole.count else { return false }
    return (0...whole.count - part.count).contains { whole[$0...].starts(with: part) }
}

/// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
        var row = [i + 1]
        for j in right.indices {
            var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                cost = min(cost, beforeLast[j - 1] + 1)
            }
            row.append(cost)
        }
        (beforeLast, last) = (last, row)
    }
    return last[right.count]
}
