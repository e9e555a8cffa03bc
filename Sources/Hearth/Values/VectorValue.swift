// SPDX-License-Identifier: Apache-2.0

/// A vector of 1 to 2,048 numbers, such as an embedding (V-20). Any other count is refused when it is written.
public struct VectorValue: Sendable, Hashable, Codable {
    /// The numbers in order.
    public let array: [Double]

    /// - Parameter array: the numbers in order.
    public init(_ array: [Double]) {
        self.array = array
    }
}
