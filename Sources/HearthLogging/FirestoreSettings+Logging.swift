// SPDX-License-Identifier: Apache-2.0

#if Logging
    public import Hearth
    public import Logging

    extension FirestoreSettings {
        /// Sends Hearth's messages to swift-log: failures that no caller is told about at level `error`, other messages
        /// at level `debug`.
        ///
        /// ```swift
        /// settings.log(to: Logger(label: "database"))
        /// ```
        ///
        /// Replaces ``Hearth/FirestoreSettings/logHandler``.
        public func log(to logger: Logger) {
            logHandler = { level, message in
                switch level {
                case .debug: logger.debug("\(message)")
                case .error: logger.error("\(message)")
                }
            }
        }
    }
#endif
