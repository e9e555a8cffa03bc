// SPDX-License-Identifier: Apache-2.0

/// Queries that are given to functions which are not followed, as those of other files.
extension Follower {
    /// A call of something that is not known. Its arguments may contain queries, which it may run.
    mutating func ignored(_ arguments: [Argument], _ name: String?, _ offset: Int) -> Alternatives {
        let unknown = Follower.result(of: name)
        let values = arguments.map { follow($0.value) }
        for (argument, value) in zip(arguments, values) {
            for item in value.items {
                sites.noteUnused(item.value, function, at: argument.value.offset)
                noteParts(of: item.value, unknown, at: argument.value.offset)
            }
        }
        return passed(values, to: name, offset)
    }

    /// A call of a function of the file that is not followed again, or that makes no query itself.
    mutating func notFollowed(_ called: Function, _ values: [Alternatives], _ offset: Int) -> Alternatives {
        if !called.isTelling {
            for item in values.flatMap(\.items) { sites.noteUnused(item.value, function, at: offset) }
        }
        return passed(values, to: called.name, offset)
    }

    /// What a function gives that is not followed: the query that it gets, with parts that nobody knows, or anything else.
    func passed(_ values: [Alternatives], to name: String?, _ offset: Int) -> Alternatives {
        let unknown = Known.unknown(Follower.result(of: name))
        let queries = values.filter { $0.items.contains { if case .query = $0.value { true } else { false } } }
        guard queries.count == 1, !givesNoQuery(name) else { return Alternatives(unknown) }
        let step = step(offset)
        return queries[0].mapped { value in
            guard case .query(var shape) = value else { return [unknown] }
            shape.isTentative = true
            if shape.problem == nil { shape.fail("a part of it is what \(Follower.quoted(name)) adds", at: step) }
            return [.query(shape)]
        }
    }

    /// Notes a query that a call of a library gets beside another, or that something gets which is not known. A query that
    /// a function of another file gives is one if this runs it.
    mutating func noteArgument(_ value: Known, _ offset: Int, _ isCut: Bool) {
        if case .query(let shape) = value, shape.isTentative, shape.problem != nil {
            run(value, offset, isCut)
        } else {
            sites.noteUnused(value, function, at: offset)
        }
    }

    private static func result(of name: String?) -> Unknown { Unknown(what: "what \(quoted(name)) gives") }

    private static func quoted(_ name: String?) -> String { name.map { "'\($0)'" } ?? "a computed function" }

    /// Constructors, and functions of the library for the web that give documents. Those that give queries are known.
    private func givesNoQuery(_ name: String?) -> Bool {
        guard let name else { return false }
        if language.functions[name] != nil { return true }
        switch language.name {
        case "go": return name.hasPrefix("New") && Follower.isTypeName(String(name.dropFirst(3)))
        // Its methods begin as its types do.
        case "csharp": return false
        default: return Follower.isTypeName(name) || ["addDoc", "getDoc", "setDoc"].contains(name)
        }
    }
}
