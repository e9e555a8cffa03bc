// SPDX-License-Identifier: Apache-2.0

import FaultyStorage
import Glibc

/// How a child process ended that inspected a file which may crash it.
enum Ending: Equatable, CustomStringConvertible {
    case code(Int32)
    case signal(Int32)

    var description: String {
        switch self {
        case .code(DamageSubject.same): "well"
        case .code(DamageSubject.differs): "with findings"
        case .code(DamageSubject.failed): "with an error"
        case .code(let code): "with \(code)"
        case .signal(let number): "by signal \(number)"
        }
    }

    /// Runs `body` in a child process.
    static func of(_ body: @escaping () -> Int32) -> Ending {
        final class Body {
            let run: () -> Int32
            init(_ run: @escaping () -> Int32) { self.run = run }
        }
        let context = Unmanaged.passRetained(Body(body))
        defer { context.release() }
        let status = faulty_fork(
            { context in
                // Output of a crashing child is irrelevant.
                let silence = Glibc.open("/dev/null", O_WRONLY)
                dup2(silence, 2)
                for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT] { Glibc.signal(number, SIG_DFL) }
                _exit(Unmanaged<Body>.fromOpaque(context!).takeUnretainedValue().run())
            }, context.toOpaque(), 20)
        return status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
    }

    /// Why the results of verifying and reading a file are wrong; nil if they are not.
    static func finding(_ verified: Ending, _ read: Ending) -> String? {
        if case .signal(let number) = verified { return "the verification died of signal \(number)" }
        if read == .code(DamageSubject.wrong) { return "a document was delivered that was not written" }
        // Damaged bytes give an error, never a Swift trap; LMDB may crash on them.
        if read == .signal(SIGILL) || read == .signal(SIGTRAP) { return "reading trapped" }
        if verified == .code(DamageSubject.same), read != .code(DamageSubject.same) {
            return "the verification found nothing, reading ended with \(read)"
        }
        return nil
    }
}
