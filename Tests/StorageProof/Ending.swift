// SPDX-License-Identifier: Apache-2.0

import FaultyStorage
import Glibc

/// How a child ended that looked at a damaged file.
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

    static func finding(copied: Ending) -> String? {
        if case .signal(let number) = copied { return "copying died of signal \(number)" }
        return copied == .code(DamageSubject.wrong) ? "copying failed and left a file" : nil
    }

    /// What is wrong with how verifying and reading a file ended; nil if nothing.
    static func finding(_ verified: Ending, _ read: Ending) -> String? {
        if case .signal(let number) = verified { return "the verification died of signal \(number)" }
        if read == .code(DamageSubject.wrong) { return "a document was delivered that was not written" }
        if case .signal(let number) = read { return "reading died of signal \(number)" }
        if verified == .code(DamageSubject.same), read != .code(DamageSubject.same) {
            return "the verification found nothing, reading ended with \(read)"
        }
        return nil
    }
}
