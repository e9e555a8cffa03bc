// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Glibc

    /// A command that runs beside the server.
    package enum ChildProcess {
        /// Runs a command with the caller's input and output, and returns its exit code: 128 and the signal's number if a signal ended
        /// it, 127 if there is no such command.
        ///
        /// - Parameter environment: variables to set besides the caller's.
        /// - Throws: if the system starts no process.
        package static func run(_ command: [String], environment: [String: String]) throws(ChildProcessError) -> Int32 {
            // env names a command that is missing, and sets the variables.
            let assignments = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            var words = (["env"] + assignments + command).map { strdup($0) } + [nil]
            defer { words.forEach { free($0) } }
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // The server holds signals back, and ignores some; the command must not.
            var held = sigset_t()
            sigemptyset(&held)
            posix_spawnattr_setsigmask(&attributes, &held)
            var all = sigset_t()
            sigfillset(&all)
            posix_spawnattr_setsigdefault(&attributes, &all)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
            var child: pid_t = 0
            let code = posix_spawn(&child, "/usr/bin/env", nil, &attributes, &words, environ)
            guard code == 0 else { throw ChildProcessError(number: code) }
            return try wait(for: child)
        }

        private static func wait(for child: pid_t) throws(ChildProcessError) -> Int32 {
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0 {
                guard errno == EINTR else { throw ChildProcessError(number: errno) }
            }
            let signal = status & 0x7F
            return signal == 0 ? status >> 8 & 0xFF : 128 + signal
        }
    }

    /// The system's error number where no process could be started.
    package struct ChildProcessError: Error, CustomStringConvertible {
        let number: Int32

        package var description: String { Folders.reason(number) }
    }
#endif
