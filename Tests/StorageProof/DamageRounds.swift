// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import FaultyStorage
import Glibc
import LMDB
import QueryPlanner
import StorageWorkload
import TestSupport

/// Damages a database file in many ways, and looks at each in children: one verifies, one reads everything, one copies the file.
///
/// No signal ends any of them. No document is ever delivered with bytes other than those written, and where the verification
/// finds nothing, everything reads as before. A copy that fails leaves no file.
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
            let copied = Ending.of { DamageSubject.copy(path, to: path + "-copy", compacting: number % 2 == 0) }
            tally["verified \(verified), read \(read)", default: 0] += 1
            tally["copied \(copied)", default: 0] += 1
            if read == .code(DamageSubject.differs) { print("# round \(number), \(damage): other answers, no error") }
            for finding in [Ending.finding(verified, read), Ending.finding(copied: copied)] {
                if let finding { print("round \(number), \(damage): \(finding)") }
            }
        }
        for (outcome, count) in tally.sorted(by: { $0.key < $1.key }) { print("# \(count) × \(outcome)") }
        print("\(rounds) damaged files")
    }

    /// A page takes another's place, or the two are exchanged; with its number, or under the number that belongs there.
    private mutating func pageCopied(_ bytes: [UInt8], from one: Int, to other: Int) -> (String, [UInt8]) {
        var bytes = bytes
        let start = random.pick([0, 8])
        let (first, second) = (one + start..<one + 4096, other + start..<other + 4096)
        let (page, replaced) = (Array(bytes[first]), Array(bytes[second]))
        bytes.replaceSubrange(second, with: page)
        guard random.chance(0.5) else { return ("page at \(one) copied to \(other), from its byte \(start)", bytes) }
        bytes.replaceSubrange(first, with: replaced)
        return ("pages at \(one) and \(other) exchanged, from their byte \(start)", bytes)
    }

    private mutating func damage(_ bytes: [UInt8]) -> (String, [UInt8]) {
        var bytes = bytes
        let place = random.int(0..<bytes.count)
        switch random.int(0..<12) {
        case 0:
            bytes.removeSubrange(place...)
            return ("cut at \(place)", bytes)
        case 1:
            let sector = place / 512 * 512
            bytes.replaceSubrange(sector..<sector + 512, with: repeatElement(0, count: 512))
            return ("zeroes at \(sector)", bytes)
        case 2, 8, 9:
            return pageCopied(bytes, from: random.int(0..<bytes.count / 4096) * 4096, to: place / 4096 * 4096)
        case 10:
            let page = place / 4096 * 4096
            let start = random.pick([page, page + 8, page + 16])
            for place in start..<page + 4096 { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
            return ("random bytes from \(start) to the page's end", bytes)
        case 11:
            // What leads to other bytes: the header, the offsets of nodes and the headers of nodes.
            let page = place / 4096 * 4096
            let places = (0..<random.int(1..<8)).map { _ in page + random.int(0..<random.pick([16, 64, 4096])) }
            for place in places { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
            return ("bytes changed at \(places)", bytes)
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
