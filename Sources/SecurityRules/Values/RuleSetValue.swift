// SPDX-License-Identifier: Apache-2.0

/// A set: its elements in the order in which they were added. Of two equal ones the first stays.
package struct RuleSetValue: Sendable {
    package let elements: [RuleValue]

    init(_ values: [RuleValue]) {
        var elements: [RuleValue] = []
        var index = ValueIndex(isStrict: false)
        for value in values where !index.contains(value) {
            index.insert(value)
            elements.append(value)
        }
        self.elements = elements
    }

    func contains(_ value: RuleValue) -> Bool {
        elements.contains { value.isSame(as: $0, loosely: true) }
    }
}
