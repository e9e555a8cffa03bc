// SPDX-License-Identifier: Apache-2.0

internal import Foundation

// By way of decimal digits: Foundation's own conversions are off by a bit for every third price in cents, so that 19.99 would
// be stored as another number than the literal in a query.
extension Decimal {
    /// The double closest to this number; NaN for NaN.
    var nearestDouble: Double { Double(description) ?? .nan }

    /// The shortest decimal number that the double stands for: 19.99 for `19.99`. Nil for what no `Decimal` holds.
    init?(shortest double: Double) {
        if double.isNaN {
            self = .nan
        } else {
            self.init(string: "\(double)")
        }
    }
}
