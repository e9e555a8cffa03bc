// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The functions of the C library that this target uses.
enum System {
    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
    static func sine(_ angle: Double) -> Double { sin(angle) }
    static func cosine(_ angle: Double) -> Double { cos(angle) }
    static func arcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
}
