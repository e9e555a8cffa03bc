// SPDX-License-Identifier: Apache-2.0

import FuzzTargets
import Glibc

/// `make fuzz` builds it with coverage feedback and lets libFuzzer choose the inputs; `HEARTH_FUZZ_TARGET` names the reader.
/// `hearth-fuzz --seeds FOLDER` writes the inputs to start from; otherwise its arguments are libFuzzer's.
@main
struct Fuzzer {
    static let target: FuzzTarget = {
        let name = getenv("HEARTH_FUZZ_TARGET").map { String(cString: $0) }
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            print("HEARTH_FUZZ_TARGET is one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
            exit(64)
        }
        return target
    }()

    static func main() {
        if CommandLine.arguments.dropFirst().first == "--list" {
            for target in FuzzTarget.all { print(target.name) }
            return
        }
        if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--seeds" {
            return writeSeeds(CommandLine.arguments[2])
        }
        #if FUZZING
            var count = CommandLine.argc
            var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
            exit(runDriver(&count, &arguments) { bytes, count in Fuzzer.run(bytes, count) })
        #else
            print("built without coverage feedback: see make fuzz")
            exit(64)
        #endif
    }

    private static func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        do throws(FuzzTarget.Broken) {
            try target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        } catch {
            fatalError("\(target.name): \(error)")
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
    /// libFuzzer's, which brings a `main` of its own otherwise.
    @_silgen_name("LLVMFuzzerRunDriver")
    private func runDriver(
        _ count: UnsafeMutablePointer<CInt>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
        _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt
#endif
