// SPDX-License-Identifier: Apache-2.0

#if Server || Connected
    package import NIOCore

    extension TimeAmount {
        /// At most eight digits and a unit: `300S`, `20000m`.
        package init?(grpcTimeout text: String) {
            guard let unit = text.utf8.last, text.utf8.count <= 9, let number = Int64(text.dropLast()), number >= 0
            else { return nil }
            switch unit {
            case UInt8(ascii: "H"): self = .hours(number)
            case UInt8(ascii: "M"): self = .minutes(number)
            case UInt8(ascii: "S"): self = .seconds(number)
            case UInt8(ascii: "m"): self = .milliseconds(number)
            case UInt8(ascii: "u"): self = .microseconds(number)
            case UInt8(ascii: "n"): self = .nanoseconds(number)
            default: return nil
            }
        }

        /// The time as a header, in milliseconds; up to a day.
        package var grpcTimeout: String { "\(min(max(nanoseconds / 1_000_000, 0), 86_400_000))m" }
    }
#endif
