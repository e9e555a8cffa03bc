// SPDX-License-Identifier: Apache-2.0

#if Server
    // The server's calls to the system are in this file. Linux with glibc is supported; on Darwin, import Darwin here.
    package import DocumentExport
    internal import Glibc

    /// Folders of databases.
    enum Folders {
        /// Creates a folder and those above it that are missing, for their owner only. Returns why it could not, else nil.
        static func create(_ path: String) -> String? {
            if isFolder(path) { return nil }
            let above = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            if !above.isEmpty, let reason = create(above) { return reason }
            // Another thread may create it at the same time.
            if mkdir(path, 0o700) == 0 || errno == EEXIST && isFolder(path) { return nil }
            return SystemError.current.description
        }

        static func isFolder(_ path: String) -> Bool {
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }
    }

    enum Processes {
        static var own: Int32 { getpid() }
    }

    /// A command that runs beside the server.
    package enum ChildProcess {
        /// Runs a command with the caller's input and output, and returns its exit code: 128 and the signal's number if a signal ended
        /// it, 127 if there is no such command.
        ///
        /// - Parameter environment: variables to set besides the caller's.
        /// - Throws: if the system starts no process.
        package static func run(_ command: [String], environment: [String: String]) throws(SystemError) -> Int32 {
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
            guard code == 0 else { throw SystemError(number: code) }
            return try wait(for: child)
        }

        private static func wait(for child: pid_t) throws(SystemError) -> Int32 {
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0 {
                guard errno == EINTR else { throw .current }
            }
            let signal = status & 0x7F
            return signal == 0 ? status >> 8 & 0xFF : 128 + signal
        }
    }

    /// The signals that end the server.
    package enum Termination {
        /// Holds SIGINT and SIGTERM back for ``wait(lookingEvery:at:)``. Call it before other threads exist.
        package static func expect() {
            var signals = set
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }

        /// Returns when one of the signals comes.
        ///
        /// - Parameter look: called again and again meanwhile, at this interval.
        package static func wait(lookingEvery milliseconds: Int, at look: () -> Void) {
            var signals = set
            while true {
                var time = timespec(tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
                if sigtimedwait(&signals, nil, &time) > 0 { return }
                look()
            }
        }

        private static var set: sigset_t {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGINT)
            sigaddset(&signals, SIGTERM)
            return signals
        }

        /// Lets the process open as many files as the system allows: each database has two.
        package static func allowManyFiles() {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
    }
#endif
