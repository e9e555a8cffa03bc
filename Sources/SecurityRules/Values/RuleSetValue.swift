// SPDX-License-Identifier: Apache-2.0

/// A set: its elements in the order in which they were added. Of two equal ones the first stays.
package struct RuleSetValue: Sendable {
    package let elements: [RuleValue]

    init(_ values: [RuleValue]) {
        var index = ValueIndex(isStrict: false)
        elements = values.filter { index.insert($0) }
    }

    /// - Precondition: no two are equal.
    init(distinct elements: [RuleValue]) {
        self.elements = elements
    }

    func contains(_ value: RuleValue) -> Bool {
        elements.contains { value.isSame(as: $0, loosely: true) }
    }
}
