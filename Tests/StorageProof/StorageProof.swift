// SPDX-License-Identifier: Apache-2.0

import FaultyStorage
import Glibc
import LMDB

/// The program that the reliability tests start, to be killed, recorded or damaged. It is of no use alone.
@main
struct StorageProof {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "client":
            var client = try KilledClient(arguments)
            client.run()
        case "write": try KilledWriter(arguments).run()
        case "record": try RecordedWriter(arguments).run()
        case "left": LeftFile(arguments).run()
        case "faults": try FaultRounds(arguments).run()
        case "record-placed": try PlacedWriter(arguments: arguments).run()
        case "faults-placed": PlacedFaultRounds(arguments: arguments).run()
        case "number": NumberedWriter(arguments: arguments).run()
        case "watch": PairWatcher(arguments: arguments).run()
        case "damage":
            var rounds = DamageRounds(arguments)
            try rounds.run()
        default:
            print(
                "usage: storage-proof client|write|record|left|faults|record-placed|faults-placed|number|watch|damage …"
            )
            exit(64)
        }
    }

    static let durabilities: [Environment.Durability] = [.full, .mayLoseLastCommits, .mayLoseDatabase]
}
