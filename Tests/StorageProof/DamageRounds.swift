// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import FaultyStorage
import Glibc
import LMDB
import QueryPlanner
import StorageWorkload
import TestSupport

/// Damages a database file in many ways, and inspects each result in child processes that may crash: one verifies, one
/// reads everything.
///
/// No document is ever returned with other bytes than those written. If verification finds nothing, everything reads as
/// before.
struct DamageRounds {
    private let folder: String
    private let rounds: Int
    private var random: SeededGenerator
    private var tally: [String: Int] = [:]

    /// `damage FOLDER SEED COUNT`
    init(_ arguments: [String]) {
        folder = arguments[1]
        random = SeededGenerator(seed: UInt64(arguments[2])!)
        rounds = Int(arguments[3])!
    }

    mutating func run() throws {
        faulty_begin(folder)
        let whole = try DamageSubject(making: folder + "/whole.db", seed: random.next())
        let bytes = try FileBytes.read(folder + "/whole.db")
        for number in 0..<rounds {
            let path = folder + "/damaged.db"
            unlink(path + "-lock")
            let (damage, damaged) = damage(bytes)
            try FileBytes.write(damaged, path)
            let verified = Ending.of { DamageSubject.verify(path) }
            let read = Ending.of { whole.read(path) }
            tally["verified \(verified), read \(read)", default: 0] += 1
            if let finding = Ending.finding(verified, read) { print("round \(number), \(damage): \(finding)") }
        }
        for (outcome, count) in tally.sorted(by: { $0.key < $1.key }) { print("# \(count) × \(outcome)") }
        print("\(rounds) damaged files")
    }

    private mutating func damage(_ bytes: [UInt8]) -> (String, [UInt8]) {
        var bytes = bytes
        let place = random.int(0..<bytes.count)
        switch random.int(0..<8) {
        case 0:
            bytes.removeSubrange(place...)
            return ("cut at \(place)", bytes)
        case 1:
            let sector = place / 512 * 512
            bytes.replaceSubrange(sector..<sector + 512, with: repeatElement(0, count: 512))
            return ("zeroes at \(sector)", bytes)
        case 2:
            let (one, other) = (place / 4096 * 4096, random.int(0..<bytes.count / 4096) * 4096)
            let page = Array(bytes[one..<one + 4096])
            bytes.replaceSubrange(one..<one + 4096, with: bytes[other..<other + 4096])
            bytes.replaceSubrange(other..<other + 4096, with: page)
            return ("pages at \(one) and \(other) exchanged", bytes)
        case 3:
            let places = (0..<20).map { _ in random.int(0..<bytes.count) }
            for place in places { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
            return ("bytes changed at \(places)", bytes)
        default:
            let bit = random.int(0..<8)
            bytes[place] ^= 1 << UInt8(bit)
            return ("bit \(bit) turned at \(place)", bytes)
        }
    }
}
