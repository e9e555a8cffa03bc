// SPDX-License-Identifier: Apache-2.0

#if Server
    /// The text form of a channel's responses: chunks of JSON, each behind its length.
    enum WebChannelText {
        /// A chunk. Its length counts UTF-16 code units, as the client's strings do, and the newline at its end.
        ///
        /// - Parameter units: the UTF-16 length of `json` if it is known.
        static func chunk(_ json: [UInt8], units: Int? = nil) -> [UInt8] {
            let length = (units ?? utf16Count(json)) + 1
            return Array("\(length)\n".utf8) + json + [UInt8(ascii: "\n")]
        }

        /// The number of UTF-16 code units of text in UTF-8.
        static func utf16Count(_ utf8: [UInt8]) -> Int {
            var count = 0
            // Characters of four bytes are pairs of code units; bytes of the form 10xxxxxx continue a character.
            for byte in utf8 { count += byte >= 0xF0 ? 2 : byte & 0xC0 == 0x80 ? 0 : 1 }
            return count
        }
    }
#endif
