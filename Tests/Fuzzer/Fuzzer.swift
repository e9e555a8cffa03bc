// SPDX-License-Identifier: Apache-2.0

import FuzzTargets
import Glibc

/// `make fuzz` builds this with coverage feedback, and libFuzzer chooses the inputs. `HEARTH_FUZZ_TARGET` names the
/// reader. `hearth-fuzz --seeds FOLDER` writes the initial inputs, `--list` lists the readers; other arguments are
/// libFuzzer's.
///
/// libFuzzer has its own `main`, which calls the functions at the end.
#if !FUZZING
    @main
#endif
enum Fuzzer {
    static let target: FuzzTarget = {
        let name = getenv("HEARTH_FUZZ_TARGET").map { String(cString: $0) }
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            print("HEARTH_FUZZ_TARGET is one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
            exit(64)
        }
        return target
    }()

    static func main() {
        answer(CommandLine.arguments)
        print("built without coverage feedback: see make fuzz")
        exit(64)
    }

    /// Handles the arguments that are not libFuzzer's, and ends the program.
    static func answer(_ arguments: [String]) {
        if arguments.dropFirst().first == "--list" {
            for target in FuzzTarget.all { print(target.name) }
            exit(0)
        }
        if arguments.count == 3, arguments[1] == "--seeds" {
            writeSeeds(arguments[2])
            exit(0)
        }
    }

    private static func writeSeeds(_ folder: String) {
        for (number, seed) in target.seeds.enumerated() {
            guard let file = fopen("\(folder)/seed-\(number)", "wb") else { fatalError("\(folder) cannot be written") }
            fwrite(seed, 1, seed.count, file)
            fclose(file)
        }
    }
}

#if FUZZING
    @_cdecl("LLVMFuzzerInitialize")
    func initialize(
        _ count: UnsafePointer<CInt>, _ arguments: UnsafePointer<UnsafePointer<UnsafePointer<CChar>?>>
    ) -> CInt {
        Fuzzer.answer((0..<Int(count.pointee)).compactMap { arguments.pointee[$0].map { String(cString: $0) } })
        return 0
    }

    @_cdecl("LLVMFuzzerTestOneInput")
    func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        do throws(FuzzTarget.Broken) {
            try Fuzzer.target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        } catch {
            fatalError("\(Fuzzer.target.name): \(error)")
        }
    }
#endif
