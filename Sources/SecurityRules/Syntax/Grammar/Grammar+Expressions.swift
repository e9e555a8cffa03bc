// SPDX-License-Identifier: Apache-2.0

extension Grammar {
    static let expression: [Element] = [
        .choice([
            [rule(.simpleExpression)],
            [rule(.simpleExpression), steps, noSteps],
            [steps, noSteps, rule(.simpleExpression)],
            [.oneOf([.decrement, .increment, .minus]), rule(.simpleExpression)],
            [.token(.not), operand(10)],
        ]),
        binaryOperators,
    ]

    private static let binaryOperators: Element = .operators([
        (9, [.oneOf([.remainder, .slash, .star]), operand(10)]),
        (8, [.oneOf([.minus, .plus]), operand(9)]),
        (7, [.oneOf([.greater, .greaterOrEqual, .less, .lessOrEqual]), operand(8)]),
        (6, [.oneOf([.equal, .notEqual]), operand(7)]),
        (4, [.token(.in), operand(5)]),
        (3, [.token(.and), operand(4)]),
        (2, [.token(.or), operand(3)]),
        (1, [.token(.question), operand(0), .token(.colon), operand(1)]),
        (5, [.token(.is), rule(.typeID), .mistake(.typeName)]),
    ])

    static let simpleExpression: [Element] = [
        .choice([
            [rule(.pathExpression)], list, [rule(.mapExpression)],
            [rule(.id), .token(.dot), rule(.memberID)] + arguments,
            group, [rule(.localFunctionID)] + arguments, [rule(.localVariableID)], [rule(.literal)],
        ]),
        postfixOperators,
    ]

    private static let list: [Element] = [
        .token(.leftBracket), .optional([[rule(.expressionList)]]), .token(.rightBracket),
    ]
    private static let group: [Element] = [
        .token(.leftParenthesis), rule(.expression), .token(.rightParenthesis),
    ]

    private static let postfixOperators: Element = .operators([
        (7, [.token(.dot), rule(.memberID)] + arguments),
        (5, [.token(.dot), rule(.keywordID)]),
        (4, [.token(.leftBracket), rule(.listIndex), .token(.rightBracket)]),
    ])

    /// The same language as a rule's without alternatives that begin alike. Looking ahead through rules takes this form:
    /// otherwise each level of nesting would double what there is to follow.
    static func factored(_ rule: Rule) -> [Element]? {
        switch rule {
        case .expression:
            [
                .choice([
                    [self.rule(.simpleExpression), .optional([[steps]])],
                    [.oneOf([.decrement, .increment, .minus]), self.rule(.simpleExpression)],
                    [.token(.not), operand(10)],
                ]),
                binaryOperators,
            ]
        case .simpleExpression:
            [
                .choice([
                    [self.rule(.pathExpression)], list, [self.rule(.mapExpression)], group,
                    [self.rule(.id), .optional([arguments])], [self.rule(.literal)],
                ]),
                postfixOperators,
            ]
        case .listIndex:
            [
                .choice([
                    [.token(.colon), .optional([[self.rule(.expression)]])],
                    [
                        self.rule(.expression),
                        .optional([[.token(.colon), .optional([[self.rule(.expression)]])]]),
                    ],
                ])
            ]
        default: nil
        }
    }
}
