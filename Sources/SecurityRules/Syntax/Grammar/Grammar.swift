// SPDX-License-Identifier: Apache-2.0

/// The grammar of the official compiler, which also has rules for common mistakes. Its parser is generated from it, so
/// that what it says of a wrong source, and where it goes on, follow from the grammar.
enum Grammar {
    enum Rule: Int, CaseIterable {
        case ruleset, versionStatement, importStatement, rulesetStatement, serviceDeclaration, serviceStatement
        case functionDeclaration, bindingDeclaration, functionSignature, parameters, functionBody, returnStatement
        case matchDeclaration, matchStatement, permissionDeclaration, permissionBody, expression, simpleExpression
        case pathExpression, pathExpressionSegment, listIndex, mapExpression, mapEntries, mapEntry, expressionList
        case literal, keywordID, keyword, pathPattern, patternSegment, globCapture, capture, id, serviceID
        case typeID, operationID, memberID, alias, localVariableID, localFunctionID
    }

    indirect enum Element {
        case token(TokenKind)
        case oneOf([TokenKind])
        /// A rule, for `expression` with the lowest precedence of its operators.
        case rule(Rule, precedence: Int)
        /// Reports a mistake at the current token.
        case mistake(Mistake)
        case choice([[Element]])
        case optional([[Element]])
        case repeated([[Element]])
        case repeatedOnce([[Element]])
        /// The operators after the first operand, each with its precedence.
        case operators([(precedence: Int, elements: [Element])])
    }

    /// What a rule for a mistake says.
    enum Mistake {
        case text(String)
        /// The current token should be the word `as`.
        case alias
        /// The word before the current token should name a type.
        case typeName
    }

    static func rule(_ rule: Rule) -> Element { .rule(rule, precedence: 0) }
    static func operand(_ precedence: Int) -> Element { .rule(.expression, precedence: precedence) }
    static func says(_ text: String) -> Element { .mistake(.text(text)) }
    static let steps: Element = .oneOf([.decrement, .increment])
    static let noSteps = says("Increment (++) and decrement (--) operators are not supported.")
    static let arguments: [Element] = [
        .token(.leftParenthesis), .optional([[rule(.expressionList)]]), .token(.rightParenthesis),
    ]

    static func alternatives(_ rule: Rule) -> [[Element]] {
        switch rule {
        case .ruleset, .versionStatement, .importStatement, .rulesetStatement, .serviceDeclaration, .serviceStatement:
            return file(rule)
        case .functionDeclaration, .bindingDeclaration, .functionSignature, .parameters, .functionBody,
            .returnStatement:
            return function(rule)
        case .matchDeclaration, .matchStatement, .permissionDeclaration, .permissionBody: return match(rule)
        case .expression: return [expression]
        case .simpleExpression: return [simpleExpression]
        case .pathExpression, .pathExpressionSegment, .pathPattern, .patternSegment, .globCapture, .capture:
            return path(rule)
        case .listIndex, .mapExpression, .mapEntries, .mapEntry, .expressionList: return collection(rule)
        case .literal, .keywordID, .keyword: return word(rule)
        default: return name(rule)
        }
    }

    static func file(_ rule: Rule) -> [[Element]] {
        switch rule {
        case .ruleset:
            [
                [
                    .optional([[self.rule(.versionStatement)]]), .repeated([[self.rule(.importStatement)]]),
                    .repeatedOnce([[self.rule(.rulesetStatement)]]), .token(.end),
                ]
            ]
        case .versionStatement:
            [[.token(.rulesVersion), .token(.assign), .token(.string), .optional([[.token(.semicolon)]])]]
        case .importStatement:
            [
                [.token(.import), .token(.string), .token(.semicolon)],
                [
                    .token(.import), .token(.string), self.rule(.alias), self.rule(.id), .token(.semicolon),
                ],
            ]
        case .rulesetStatement: [[self.rule(.functionDeclaration)], [self.rule(.serviceDeclaration)]]
        case .serviceDeclaration:
            [
                [
                    .token(.service), self.rule(.serviceID), .token(.leftBrace),
                    .repeatedOnce([[self.rule(.serviceStatement)]]), .token(.rightBrace),
                ],
                [
                    .token(.service), self.rule(.serviceID), .token(.leftBrace),
                    says("The 'service' body must contain at least one declaration."), .token(.rightBrace),
                ],
            ]
        default: [[self.rule(.functionDeclaration)], [self.rule(.matchDeclaration)]]
        }
    }

    static func function(_ rule: Rule) -> [[Element]] {
        let (name, signature) = (self.rule(.localFunctionID), self.rule(.functionSignature))
        let body: [Element] = [.token(.leftBrace), self.rule(.functionBody), .token(.rightBrace)]
        switch rule {
        case .functionDeclaration:
            return [
                [.token(.function), name, signature] + body,
                [
                    .token(.function), name, signature, .token(.leftBrace), says("Missing 'function' body"),
                    .token(.rightBrace),
                ],
                [.token(.function), name, says("Missing 'function' signature")] + body,
                [.token(.function), says("Missing 'function' id"), signature] + body,
            ]
        case .bindingDeclaration:
            return [
                [
                    .token(.let), self.rule(.localVariableID), .token(.assign), self.rule(.expression),
                    .token(.semicolon),
                ]
            ]
        case .functionSignature:
            let list: [Element] = [
                .token(.leftParenthesis), .optional([[self.rule(.parameters)]]), .token(.rightParenthesis),
            ]
            return [list, list + [says("Extra closing ')' at the end of parameter list."), .token(.rightParenthesis)]]
        case .parameters:
            return [
                [
                    self.rule(.localVariableID),
                    .repeated([[.token(.comma), self.rule(.localVariableID)]]),
                ]
            ]
        case .functionBody: return [[.repeated([[self.rule(.bindingDeclaration)]]), self.rule(.returnStatement)]]
        default: return [[.token(.return), self.rule(.expression), .optional([[.token(.semicolon)]])]]
        }
    }

    static func match(_ rule: Rule) -> [[Element]] {
        let path = self.rule(.pathPattern)
        switch rule {
        case .matchDeclaration:
            return [
                [
                    .token(.match), path, .token(.leftBrace), .repeatedOnce([[self.rule(.matchStatement)]]),
                    .token(.rightBrace),
                ],
                [
                    .token(.match), path, .token(.leftBrace),
                    says("The 'match' body must contain at least one declaration."), .token(.rightBrace),
                ],
                [says("Missing 'match' keyword before path."), path, .token(.leftBrace), .token(.rightBrace)],
            ]
        case .matchStatement:
            return [
                [self.rule(.functionDeclaration)], [self.rule(.permissionDeclaration)], [self.rule(.matchDeclaration)],
            ]
        case .permissionDeclaration:
            return [
                [
                    .token(.allow), self.rule(.operationID), .optional([[self.rule(.permissionBody)]]),
                    .optional([[.token(.semicolon)]]),
                ],
                [.token(.allow), says("Expected at least one 'operation' after 'allow'.")],
            ]
        default:
            let condition = self.rule(.expression)
            return [
                [.token(.colon), .token(.if), condition],
                [says("Missing ':' before 'if' condition."), .token(.if), condition],
                [.token(.colon), says("Missing 'if' before conditional expression."), condition],
                [.token(.colon), .token(.if), says("Missing conditional expression after 'if'.")],
            ]
        }
    }

    static func path(_ rule: Rule) -> [[Element]] {
        let name = self.rule(.localVariableID)
        let braces: (TokenKind?) -> [Element] = { wildcard in
            let value: [Element] = wildcard.map { [.token(.assign), .token($0)] } ?? []
            return [.token(.leftBrace), name] + value + [.token(.rightBrace)]
        }
        let doubled: [Element] = [says("Extra closing '}' in path."), .token(.rightBrace)]
        // The official compiler's spelling.
        let doubledGlob: [Element] = [says("Exra closing '}' in path."), .token(.rightBrace)]
        switch rule {
        case .pathExpression: return [[.repeatedOnce([[self.rule(.pathExpressionSegment)]])]]
        case .pathExpressionSegment:
            return [
                [self.rule(.patternSegment)],
                [
                    .token(.slash), .token(.dollar), .token(.leftParenthesis), self.rule(.expression),
                    .token(.rightParenthesis),
                ],
            ]
        case .pathPattern: return [[.repeatedOnce([[self.rule(.patternSegment)]])]]
        case .patternSegment:
            return [
                [.token(.pathSegment)],
                [.token(.slash), self.rule(.capture)],
                [.token(.slash), self.rule(.globCapture)],
                [says("Forward slash '/' found where identifier or binding expected."), .token(.slash)],
            ]
        case .globCapture: return [braces(.glob), braces(.glob) + doubledGlob]
        default: return [braces(nil), braces(.star), braces(nil) + doubled, braces(.star) + doubled]
        }
    }

    static func collection(_ rule: Rule) -> [[Element]] {
        let expression = self.rule(.expression)
        let comma: Element = .optional([[.token(.comma)]])
        switch rule {
        case .listIndex:
            return [[.optional([[expression]]), .token(.colon), .optional([[expression]])], [expression]]
        case .mapExpression:
            return [[.token(.leftBrace), .optional([[self.rule(.mapEntries)]]), .token(.rightBrace)]]
        case .mapEntries:
            return [[self.rule(.mapEntry), .repeated([[.token(.comma), self.rule(.mapEntry)]]), comma]]
        case .mapEntry: return [[expression, .token(.colon), expression]]
        default: return [[expression, .repeated([[.token(.comma), expression]]), comma]]
        }
    }

    static func word(_ rule: Rule) -> [[Element]] {
        switch rule {
        case .literal:
            return [
                [.token(.float)], [.token(.integer)], [.token(.string)], [.token(.bytes)], [.token(.true)],
                [.token(.false)], [.token(.null)],
                [.token(.unpairedSingleQuote), says("Missing a closing '")],
                [.token(.unpairedDoubleQuote), says("Missing a closing \"")],
            ]
        case .keywordID: return [[.token(.identifier)], [self.rule(.keyword)]]
        default:
            let words = (TokenKind.allow.rawValue...TokenKind.while.rawValue).compactMap(TokenKind.init(rawValue:))
            return [[.oneOf(words.filter { $0 != .rulesVersion })]]
        }
    }

    static func name(_ rule: Rule) -> [[Element]] {
        switch rule {
        case .id: return [[.token(.identifier)]]
        case .serviceID:
            return [[says("Cannot use keyword as service name."), .token(.keywordAsService)], [.token(.serviceName)]]
        case .operationID:
            let list: [Element] = [self.rule(.id), .repeated([[.token(.comma), self.rule(.id)]])]
            return [list, list + [says("Unexpected ','."), .token(.comma)]]
        case .alias: return [[.mistake(.alias), self.rule(.id)]]
        default: return [[self.rule(.id)]]
        }
    }
}
