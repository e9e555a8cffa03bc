// SPDX-License-Identifier: Apache-2.0

/// A vector of 1 to 2,048 numbers, such as an embedding. A write with a vector of another size is refused.
public struct VectorValue: Sendable, Hashable, Codable {
    /// The numbers in order.
    public let array: [Double]

    /// Creates a vector.
    ///
    /// - Parameter array: the numbers in order.
    public init(_ array: [Double]) {
        self.array = array
    }
}
