// SPDX-License-Identifier: Apache-2.0

#if Server
    // The server's calls to the system are in this file. Linux with glibc is supported; on Darwin, import Darwin here.
    internal import Dispatch
    package import DocumentExport
    internal import Glibc
    internal import Synchronization

    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

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

        /// Returns whether the folder is gone.
        static func removeIfEmpty(_ path: String) -> Bool { rmdir(path) == 0 || errno == ENOENT }
    }

    enum Processes {
        static var own: Int32 { getpid() }

        /// The first word of a line of what the system shows of this process, such as `SigIgn`.
        static func status(_ name: String) -> Substring? {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        }

        /// The bytes of this process in memory that are no file's; 0 if they are not known.
        static var anonymousMemory: Int { status("RssAnon").flatMap { Int($0) }.map { $0 << 10 } ?? 0 }
    }

    /// When TCP asks a silent client whether it is still there.
    enum KeepaliveOption {
        /// The seconds of silence before the first question.
        static let idle = TCP_KEEPIDLE
        /// The seconds between two questions.
        static let interval = TCP_KEEPINTVL
        /// How many without an answer end the connection.
        static let count = TCP_KEEPCNT
    }

    /// A command that runs beside the server.
    package enum ChildProcess {
        /// The open descriptors. Ask before the server has its own, to give the command those of the caller only.
        package static var descriptors: Set<Int32> {
            let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            // The list's own is closed again.
            return Set((names ?? []).compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) >= 0 })
        }

        /// Runs a command with the caller's input and output, and returns its exit code: 128 and the signal's number if a signal ended
        /// it, 127 if there is no such command. The signals of ``Termination`` that come to this process alone are passed on.
        /// ``Termination/expect()`` must have been called. If one came before, the command does not run.
        ///
        /// - Parameters:
        ///   - environment: variables to set besides the caller's.
        ///   - inherited: the descriptors that the command gets besides input and output.
        /// - Throws: if the system starts no process.
        package static func run(
            _ command: [String], environment: [String: String], inherited: Set<Int32>
        ) throws(SystemError) -> Int32 {
            if let signal = Termination.next(within: 0) { return 128 + signal }
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
            // The caller's, as nohup's.
            sigdelset(&all, SIGHUP)
            posix_spawnattr_setsigdefault(&attributes, &all)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            // A command that outlives the server would keep its port. Some more may be opened until the process begins.
            for descriptor in 3..<(descriptors.max() ?? 0) + 64 where !inherited.contains(descriptor) {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
            var child: pid_t = 0
            let code = posix_spawn(&child, "/usr/bin/env", &actions, &attributes, &words, environ)
            guard code == 0 else { throw SystemError(number: code) }
            return try wait(for: child)
        }

        private static func wait(for child: pid_t) throws(SystemError) -> Int32 {
            var status: Int32 = 0
            while true {
                let ended = waitpid(child, &status, WNOHANG)
                if ended == child { break }
                guard ended == 0 || errno == EINTR else { throw .current }
                Termination.passNext(to: child)
            }
            let signal = status & 0x7F
            return signal == 0 ? status >> 8 & 0xFF : 128 + signal
        }
    }

    /// The signals that end the server.
    package enum Termination {
        /// Holds ``ends`` back for ``wait(lookingEvery:at:)`` and ``ChildProcess``. Call it before other threads exist.
        package static func expect() {
            // A caller that ignores it would take the command's exit code away.
            signal(SIGCHLD, SIG_DFL)
            var signals = set(all)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }

        /// Runs what does not look at the signals. One that comes ends the process.
        ///
        /// - Parameters:
        ///   - code: the process's, by the signal.
        ///   - clean: called before the process ends, from another thread.
        package static func end<R>(
            with code: @escaping @Sendable (Int32) -> Int32, after clean: @escaping @Sendable () -> Void,
            during body: () throws -> R
        ) rethrows -> R {
            let isDone = Atomic(false)
            let looks = DispatchGroup()
            DispatchQueue.global().async(group: looks) {
                while !isDone.load(ordering: .acquiring) {
                    guard let signal = next(within: 20) else { continue }
                    clean()
                    _exit(code(signal))
                }
            }
            defer {
                isDone.store(true, ordering: .releasing)
                // What comes from now on is not taken from those who wait for it.
                looks.wait()
            }
            return try body()
        }

        /// Returns when one of the signals comes.
        ///
        /// - Parameter look: called again and again meanwhile, at this interval.
        package static func wait(lookingEvery milliseconds: Int, at look: () -> Void) {
            while next(within: milliseconds) == nil { look() }
        }

        /// The signal that comes within a time; nil if none does.
        fileprivate static func next(within milliseconds: Int) -> Int32? {
            var signals = set(ends)
            var time = timespec(tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
            let signal = sigtimedwait(&signals, nil, &time)
            return signal > 0 ? signal : nil
        }

        /// Waits for a signal, also for that of a child that has ended. Passes one on that came from a process: those of the terminal
        /// come to the child, too.
        fileprivate static func passNext(to child: pid_t) {
            var signals = set(all)
            var details = siginfo_t()
            let signal = sigwaitinfo(&signals, &details)
            if ends.contains(signal), details.si_code <= SI_USER { kill(child, signal) }
        }

        /// SIGINT and SIGTERM, and SIGHUP of a terminal that closes, unless the caller ignores it, as `nohup` does.
        private static let ends = [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP])
        private static let all = ends + [SIGCHLD]

        /// By the mask of ignored signals that the system shows. Functions, such as the one that stands for ignoring, cannot be compared.
        private static func isIgnored(_ signal: Int32) -> Bool {
            let mask = Processes.status("SigIgn").flatMap { UInt64($0, radix: 16) }
            return (mask ?? 0) >> UInt64(signal - 1) & 1 == 1
        }

        private static func set(_ signals: [Int32]) -> sigset_t {
            var set = sigset_t()
            sigemptyset(&set)
            for signal in signals { sigaddset(&set, signal) }
            return set
        }

        /// How many files the process may have open.
        static var fileLimit: Int {
            var limit = rlimit()
            let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
            return isKnown ? Int(clamping: limit.rlim_cur) : 1_024
        }

        /// Lets the process open as many files as the system allows: each database has three.
        package static func allowManyFiles() {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
    }
#endif
