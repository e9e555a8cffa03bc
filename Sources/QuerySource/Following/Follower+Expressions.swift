// SPDX-License-Identifier: Apache-2.0

extension Follower {
    /// What an expression can be.
    mutating func follow(_ expression: Expression) -> Alternatives {
        fuel -= 1
        depth += 1
        defer { depth -= 1 }
        guard canFollow(expression.offset) else { return .unknown("a part of a very complex file") }
        return bounded(value(of: expression))
    }

    /// Large values take fuel, and very large ones are not followed.
    private mutating func bounded(_ value: Alternatives) -> Alternatives {
        let sizes = value.items.map(\.value.size)
        fuel -= sizes.reduce(0, +) / 32
        guard sizes.contains(where: { $0 > Known.maximumSize }) else { return value }
        return value.mapped { $0.size > Known.maximumSize ? [.unknown(Unknown(what: "a very large value"))] : [$0] }
    }

    private mutating func value(of expression: Expression) -> Alternatives {
        switch expression.kind {
        case .text(let text): return Alternatives(.text([text]))
        case .number(let text): return Alternatives(.number(text))
        case .flag(let flag): return Alternatives(.flag(flag))
        case .null: return Alternatives(.null)
        case .placeholder: return .unknown("a placeholder")
        case .name(let name): return followName(name)
        case .implicitMember(let name): return constant(named: name) ?? .unknown("'.\(name)'")
        case .template(let parts): return followTemplate(parts)
        case .concatenation(let parts): return concatenation(parts.map { follow($0) })
        case .member(let object, let name): return followMember(object, name, expression.offset)
        case .call(let callee, let arguments): return followCall(callee, arguments, expression.offset)
        case .index(let object, let index): return followIndex(object, index)
        case .list(let elements): return followList(elements)
        case .fields(let members): return followFields(members)
        case .function(let function):
            // Whoever gets it runs it any number of times, or not at all.
            let (_, end) = followWay { follower in
                for item in follower.followClosure(function)?.items ?? [] {
                    follower.sites.noteUnused(item.value, follower.function, at: expression.offset)
                }
            }
            merge([End(), end])
            return Alternatives(.function(function, depth: scopes.count, type: nil))
        case .guarded(let conditions, let value, let condition):
            _ = follow(Expression(offset: expression.offset, kind: .other(conditions)))
            return followChoice([value, Expression(offset: value.offset, kind: .null)], condition)
        case .choice(let options, let condition): return followChoice(options, condition)
        case .assignment(let target, let value): return followAssignment(target, value)
        case .other(let parts):
            for part in parts {
                for item in follow(part).items { sites.noteUnused(item.value, function, at: part.offset) }
            }
            return .unknown("a computed value")
        }
    }

    private mutating func followName(_ name: String) -> Alternatives {
        if let value = lookUp(name) { return value }
        if let constant = constant(named: name) { return constant }
        let shared = hints.shared(name)
        let constant = shared.map { hints.constant($0, as: name) } ?? hints.constant(named: name)
        if let constant { return Alternatives(constant) }
        let what = "'\(name)', which this file does not define"
        return Alternatives(.unknown(Unknown(what: what, name: name, shared: shared)))
    }

    /// Constants of the libraries.
    func constant(named name: String) -> Alternatives? {
        switch name {
        case "DESCENDING", "Desc", "DIR_DESCENDING", "DESC": Alternatives(.direction(true))
        case "ASCENDING", "Asc", "DIR_ASCENDING", "ASC": Alternatives(.direction(false))
        case "DocumentID", "DOCUMENT_ID", "FIELD_PATH_DOCUMENT_ID": Alternatives(.field(.documentName))
        default: nil
        }
    }

    private mutating func followTemplate(_ parts: [Expression.TemplatePart]) -> Alternatives {
        var result = Alternatives(.text([]))
        for part in parts {
            let piece: Alternatives =
                switch part {
                case .text(let text): Alternatives(.text([text]))
                case .code(let code): follow(code)
                }
            result = result.combined(with: piece) { [Follower.joined($0, $1)] }
        }
        return result
    }

    private func concatenation(_ parts: [Alternatives]) -> Alternatives {
        var result = parts[0]
        for part in parts.dropFirst() {
            result = result.combined(with: part) { first, second in
                switch (first, second) {
                case (.text, _), (_, .text): return [Follower.joined(first, second)]
                case (.list, .list): return [first.appending(elementsOf: second)]
                default: return [.unknown(Unknown(what: "a computed value"))]
                }
            }
        }
        return result
    }

    private static func joined(_ first: Known, _ second: Known) -> Known { .bounded(pieces(first) + pieces(second)) }

    private static func pieces(_ value: Known) -> [String?] {
        switch value {
        case .text(let pieces): pieces
        case .number(let text): [text]
        default: [nil]
        }
    }

    // MARK: Lists and objects

    mutating func followList(_ elements: [Argument]) -> Alternatives {
        var result = Alternatives(.list([], isOpen: false))
        for element in elements {
            let value = follow(element.value)
            result = result.combined(with: value) { list, value in
                guard case .list(let known, let isOpen) = list else { return [list] }
                guard known.count < Known.maximumCount else { return [.list(known, isOpen: true)] }
                guard element.isSpread else { return [.list(known + [value], isOpen: isOpen)] }
                return [list.appending(elementsOf: value)]
            }
        }
        return result
    }

    private mutating func followFields(_ members: [Argument]) -> Alternatives {
        var result: [(key: String, value: Known)] = []
        // Those before an object that nobody knows, as in `{ a: 'x', ...b }`, which may replace them.
        var replaceable = 0
        for member in members {
            let value = follow(member.value)
            let known = value.items.count == 1 ? value.items[0].value : nil
            let isObject = member.isSpread && member.label == nil
            if isObject {
                if case .fields(let more)? = known {
                    // A larger one is not known.
                    if result.count <= Known.maximumSize { result += more }
                    continue
                }
                result.append((key: "", value: Follower.member("")))
                replaceable = result.count
            } else if let key = member.label ?? member.value.key {
                result.append((key, known ?? Follower.member(key)))
                if known != nil { continue }
            }
            for item in value.items { sites.noteUnused(item.value, function, at: member.value.offset) }
        }
        for index in 0..<replaceable {
            if case .text = result[index].value { result[index].value = Follower.member(result[index].key) }
        }
        return Alternatives(.fields(result))
    }

    private static func member(_ key: String) -> Known { .unknown(Unknown(what: "the member '\(key)'")) }

    /// Only one of the options runs.
    private mutating func followChoice(_ options: [Expression], _ condition: Condition?) -> Alternatives {
        let test = options.count == 2 ? condition.map { self.test($0) } : nil
        var ends: [End] = []
        var result: Alternatives?
        for (number, option) in options.enumerated() {
            let facts = test?.facts(number == 0) ?? [:]
            let (value, end) = followWay(facts) { $0.follow(option).assuming(facts) }
            ends.append(end)
            result = result.map { $0.joined(value) } ?? value
        }
        merge(ends)
        return result ?? .unknown("a computed value")
    }

    private mutating func followAssignment(_ target: Target, _ value: Expression) -> Alternatives {
        var result: Alternatives
        if case .function(let function) = value.kind {
            if inlining == 0 { deferred.append(function) }
            result = Alternatives(.function(function, depth: scopes.count, type: nil))
        } else {
            result = follow(value)
        }
        result = hints.applied(to: result, target, value.offset)
        switch target {
        case .variable(let name, true):
            if !isSetField(name) || !result.items.allSatisfy(\.value.isMissing) { declare(name, result) }
        case .variable(let name, false): assign(name, result)
        case .member(let name): assignField(name, result)
        case .several(let names):
            for name in names { declare(name, .unknown("'\(name)', a part of another value", name: name)) }
        }
        return result
    }
}

extension Expression {
    /// Names and members as they are written.
    var sourceText: String? {
        switch kind {
        case .name(let name): name
        case .member(let object, let name): object.sourceText.map { "\($0).\(name)" }
        default: nil
        }
    }
}
