// SPDX-License-Identifier: Apache-2.0

internal import Foundation

// Converts by way of decimal digits. Foundation's own conversions are off by one bit for every third price in cents, so
// 19.99 would be stored as another number than the literal in a query.
extension Decimal {
    /// The double closest to this number; NaN for NaN.
    var nearestDouble: Double { Double(description) ?? .nan }

    /// The shortest decimal number that identifies the double: 19.99 for `19.99`. Nil if no `Decimal` holds it.
    init?(shortest double: Double) {
        if double.isNaN {
            self = .nan
        } else {
            self.init(string: "\(double)")
        }
    }
}
