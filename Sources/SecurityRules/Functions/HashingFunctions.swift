// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

enum HashingFunctions {
    static func call(_ function: FreeFunction, _ arguments: [RuleValue]) -> RuleValue? {
        guard arguments.count == 1 else { return nil }
        let input: [UInt8]
        switch arguments[0] {
        case .bytes(let bytes): input = bytes
        case .string(let text): input = StringMethods.utf8(text)
        default: return nil
        }
        return switch function {
        case .hashingMD5: .bytes(MD5.hash(input))
        case .hashingSHA256: .bytes(SHA256.hash(input))
        case .hashingCRC32: .bytes(littleEndian(crc(input, polynomial: 0xEDB8_8320)))
        default: .bytes(littleEndian(crc(input, polynomial: 0x82F6_3B78)))
        }
    }

    private static func crc(_ input: [UInt8], polynomial: UInt32) -> UInt32 {
        var remainder: UInt32 = .max
        for byte in input {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ polynomial : remainder >> 1 }
        }
        return ~remainder
    }

    static func littleEndian(_ word: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
    }
}

/// The padding that both hashes share: a one, zeros, and the length in bits.
private func padded(_ input: [UInt8], lengthIsBigEndian: Bool) -> [UInt8] {
    var message = input + [0x80]
    while message.count % 64 != 56 { message.append(0) }
    let bits = UInt64(input.count) * 8
    for place in 0..<8 as Range<UInt64> {
        message.append(UInt8(truncatingIfNeeded: bits >> (8 * (lengthIsBigEndian ? 7 - place : place))))
    }
    return message
}

/// RFC 1321.
enum MD5 {
    private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
    private static let constants: [UInt32] = (1...64).map {
        UInt32(System.sine(Double($0)).magnitude * 4_294_967_296)
    }

    static func hash(_ input: [UInt8]) -> [UInt8] {
        let message = padded(input, lengthIsBigEndian: false)
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for start in stride(from: 0, to: message.count, by: 64) {
            let words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(message[start + word * 4 + $1]) << (8 * UInt32($1)) }
            }
            state = zip(state, rounds(state, words)).map { $0 &+ $1 }
        }
        return state.flatMap(HashingFunctions.littleEndian)
    }

    private static func rounds(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let (mixed, word): (UInt32, Int) =
                switch step / 16 {
                case 0: (b & c | ~b & d, step)
                case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), 7 * step % 16)
                }
            let sum = a &+ mixed &+ constants[step] &+ words[word]
            let shift = shifts[step / 16 * 4 + step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
        return [a, b, c, d]
    }
}

/// FIPS 180-4.
enum SHA256 {
    private static let primes: [Int] = (2...311).filter { number in
        (2..<number).allSatisfy { number % $0 != 0 }
    }

    /// The first 32 bits of the fraction of a root. A double has enough of them: a test compares known hashes.
    private static func fraction(_ root: Double) -> UInt32 {
        UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }

    private static let constants: [UInt32] = primes.prefix(64).map { fraction(System.power(Double($0), 1.0 / 3)) }
    private static let start: [UInt32] = primes.prefix(8).map { fraction(Double($0).squareRoot()) }

    static func hash(_ input: [UInt8]) -> [UInt8] {
        let message = padded(input, lengthIsBigEndian: true)
        var state = start
        for start in stride(from: 0, to: message.count, by: 64) {
            var words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(message[start + word * 4 + $1]) }
            }
            for place in 16..<64 {
                let (early, late) = (words[place - 15], words[place - 2])
                let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
                let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
                words.append(words[place - 16] &+ first &+ words[place - 7] &+ second)
            }
            state = zip(state, rounds(state, words)).map { $0 &+ $1 }
        }
        return state.flatMap { word in HashingFunctions.littleEndian(word.byteSwapped) }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    private static func rounds(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for step in 0..<64 {
            let choice = e & f ^ ~e & g
            let majority = a & b ^ a & c ^ b & c
            let first =
                h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ constants[step] &+ words[step]
            let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        return [a, b, c, d, e, f, g, h]
    }
}
