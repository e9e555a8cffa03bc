// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A random expression of the rules language: a piece of text with others in its places.
struct RandomExpression {
    /// The text around the parts, one piece more than there are parts.
    let pieces: [String]
    let parts: [RandomExpression]

    var text: String { pieces[0] + zip(parts, pieces.dropFirst()).map { $0.text + $1 }.joined() }

    /// Simpler expressions, the simplest first.
    var simpler: [RandomExpression] {
        var simpler = parts
        for (place, part) in parts.enumerated() {
            for smaller in part.simpler {
                var changed = parts
                changed[place] = smaller
                simpler.append(RandomExpression(pieces: pieces, parts: changed))
            }
        }
        return simpler
    }

    /// Letters after `%` stand for types; `a` is any of them.
    private static let templates: [Character: [String]] = [
        "b": [
            "true", "false", "(%b && %b)", "(%b || %b)", "!%b", "(%a == %a)", "(%a != %a)", "(%i < %i)", "(%f >= %i)",
            "(%s <= %s)", "(%a in %l)", "(%a in %t)", "(%s in %m)", "(%a is %T)", "%l.hasAny(%l)", "%l.hasAll(%l)",
            "%l.hasOnly(%l)", "%t.hasAny(%l)", "%t.hasOnly(%t)", "%s.matches('[a-b]*|é.?')", "(%b ? %b : %b)",
            "math.isNaN(%f)", "(%w < %w)", "(%d >= %d)", "(%y < %y)", "(%l == %l)", "(%m == %m)", "(%t == %t)",
            "exists(/databases/$(database)/documents/e0/$(%s))", "(%s.size() == %i)", "(%p == %p)",
        ],
        "i": [
            "0", "1", "-1", "2", "7", "9223372036854775807", "(%i + %i)", "(%i - %i)", "(%i * %i)", "(%i / %i)",
            "(%i % %i)", "%s.size()", "%l.size()", "%m.size()", "%t.size()", "int(%f)", "int(%s)", "math.round(%f)",
            "math.abs(%i)", "%w.year()", "%w.dayOfYear()", "%w.dayOfWeek()", "%w.nanos()", "%w.toMillis()",
            "%d.seconds()", "%d.nanos()", "resource.data.i", "-(%i)", "%y.size()",
        ],
        "f": [
            "1.5", "0.0", "-2.5", "0.1", "(%f + %f)", "(%f * %i)", "(%f / %f)", "float(%i)", "math.sqrt(%f)",
            "math.floor(%f)", "math.ceil(%f)", "(%f % %f)", "resource.data.f", "float(%s)", "math.abs(%f)",
        ],
        "s": [
            "''", "'a'", "'ab'", "'B c'", "'é'", "'😀a'", "'12'", "'a,b,,'", "(%s + %s)", "%s.lower()", "%s.upper()",
            "%s.trim()", "string(%i)", "string(%f)", "%s.replace('a|b', 'x')", "%s.replace('', '-')", "%l.join(',')",
            "%s[0]", "%s[0:1]", "%s[%i:%i]", "id", "request.auth.uid", "resource.data.s", "%y.toHexString()",
            "%y.toBase64()", "string(%p)", "string(%a)",
        ],
        "l": [
            "[]", "[1, 'a', null]", "[%a, %a]", "[1.0, 1]", "%l.concat(%l)", "%l.removeAll(%l)", "%m.keys()",
            "%m.values()", "%s.split(',')", "%s.split('')", "%s.split('a*')", "%l[0:1]", "%l[%i:]", "resource.data.l",
        ],
        "m": ["{}", "{'a': 1, 'b': 'x'}", "{%s: %a, 'a': %a}", "resource.data", "resource.data.m", "{'a': 1.0}"],
        "t": [
            "%l.toSet()", "%t.union(%t)", "%t.intersection(%t)", "%t.difference(%t)", "%m.diff(%m).affectedKeys()",
            "%m.diff(%m).addedKeys()", "%m.diff(%m).removedKeys()", "%m.diff(%m).changedKeys()",
            "%m.diff(%m).unchangedKeys()",
        ],
        "p": ["/a/b", "/a/$(%a)", "/$(%s)/b", "request.path", "path(%s)", "(%p)[0:1]", "resource.__name__"],
        "w": [
            "timestamp.date(2020, 2, 29)", "timestamp.date(%i, %i, 1)", "timestamp.value(%i)", "(%w + %d)", "(%w - %d)",
            "resource.data.w", "%w.date()", "timestamp.value('2020-13-31T23:59:60.5+01:00')",
        ],
        "d": [
            "duration.value(%i, 's')", "duration.value(%i, 'ms')", "duration.time(1, %i, 3, %i)", "(%d + %d)",
            "(%w - %w)", "duration.abs(%d)", "-%w.time()", "%w.time()",
        ],
        "y": ["b'ab'", "b'\\xff'", "%s.toUtf8()", "hashing.md5(%s)", "hashing.crc32(%s)", "hashing.sha256(%y)"],
        "a": [
            "null", "%m.get('a', %a)", "%m.get(['m', 'k'], %a)", "%l[%i]", "%m.a", "%m['b']", "(%b ? %a : %a)",
            "debug(%a)", "resource.data.nope", "nope", "resource.data.m.k", "(%l + %l)", "%s.lower(%a)", "int(%a, %a)",
            "exists(%a, %a)", "%a[%a:]", "%a[%a]",
            "%s.foo(%a)", "math.foo(%a)", "latlng.value(%f, %i).latitude()", "%a.size()", "[%a].join(%a)",
        ],
        "T": [
            "int", "float", "number", "string", "list", "map", "set", "path", "bytes", "bool", "timestamp", "map_diff",
        ],
    ]

    private static let types = Array("bifslmtpwdy")

    static func condition(_ generator: inout SeededGenerator) -> RandomExpression {
        make("b", depth: 4, &generator)
    }

    private static func make(_ type: Character, depth: Int, _ generator: inout SeededGenerator) -> RandomExpression {
        var type = type
        if type == "a" ? generator.chance(0.6) : type != "T" && generator.chance(0.04) { type = generator.pick(types) }
        let all = templates[type] ?? ["null"]
        let leaves = all.filter { !$0.contains("%") || $0.contains("% %") && depth > 0 }
        var template = generator.pick(all)
        if depth <= 0, let leaf = leaves.isEmpty ? nil : generator.pick(leaves) { template = leaf }
        var pieces = [""]
        var parts: [RandomExpression] = []
        var rest = Substring(template)
        while let character = rest.popFirst() {
            guard character == "%", let next = rest.first, next != " " else {
                pieces[pieces.count - 1].append(character)
                continue
            }
            rest.removeFirst()
            parts.append(make(next, depth: depth - 1, &generator))
            pieces.append("")
        }
        return RandomExpression(pieces: pieces, parts: parts)
    }
}
