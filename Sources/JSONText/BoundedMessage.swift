// SPDX-License-Identifier: Apache-2.0

extension String {
    /// A message that may repeat what was read, with the middle left out where it is long: a number can have a hundred thousand
    /// digits.
    package var boundedMessage: String {
        let (limit, kept) = (4_000, 500)
        guard utf8.count > limit else { return self }
        return "\(String(unicodeScalars.prefix(2 * kept))) … \(String(unicodeScalars.suffix(kept)))"
    }
}
