// SPDX-License-Identifier: Apache-2.0

/// What `\p{…}` knows: `Any`, general categories by their short names, and scripts.
enum UnicodeProperties {
    static func item(_ name: String) -> CharacterSet.Item? {
        if name == "Any" { return .range(0...0x10FFFF) }
        if let categories = categories[name] { return .categories(categories) }
        return scripts[name].map(CharacterSet.Item.ranges)
    }

    private static let categories: [String: Set<Unicode.GeneralCategory>] = {
        let single: [String: Unicode.GeneralCategory] = [
            "Lu": .uppercaseLetter, "Ll": .lowercaseLetter, "Lt": .titlecaseLetter, "Lm": .modifierLetter,
            "Lo": .otherLetter, "Mn": .nonspacingMark, "Mc": .spacingMark, "Me": .enclosingMark,
            "Nd": .decimalNumber, "Nl": .letterNumber, "No": .otherNumber, "Pc": .connectorPunctuation,
            "Pd": .dashPunctuation, "Ps": .openPunctuation, "Pe": .closePunctuation, "Pi": .initialPunctuation,
            "Pf": .finalPunctuation, "Po": .otherPunctuation, "Sm": .mathSymbol, "Sc": .currencySymbol,
            "Sk": .modifierSymbol, "So": .otherSymbol, "Zs": .spaceSeparator, "Zl": .lineSeparator,
            "Zp": .paragraphSeparator, "Cc": .control, "Cf": .format, "Cs": .surrogate, "Co": .privateUse,
        ]
        var all: [String: Set<Unicode.GeneralCategory>] = [:]
        for (name, category) in single {
            all[name] = [category]
            all[String(name.prefix(1)), default: []].insert(category)
        }
        return all
    }()

    private static let scripts: [String: [ClosedRange<UInt32>]] = {
        var scripts: [String: [ClosedRange<UInt32>]] = [:]
        var name = ""
        for line in UnicodeScripts.table.split(separator: "\n") {
            var words = line.split(separator: " ")
            if !line.hasPrefix(" ") { name = String(words.removeFirst()) }
            for word in words {
                let ends = word.split(separator: "-").compactMap { UInt32($0, radix: 16) }
                guard let first = ends.first, let last = ends.last else { continue }
                scripts[name, default: []].append(first...last)
            }
        }
        return scripts
    }()
}
