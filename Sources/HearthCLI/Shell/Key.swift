// SPDX-License-Identifier: Apache-2.0

/// What a person does at the prompt.
enum Key: Equatable {
    case text(String)
    /// Text that was pasted, with its line breaks.
    case paste(String)
    case enter, complete
    case eraseBack, eraseForward, eraseWord, eraseToStart, eraseToEnd
    case left, right, wordLeft, wordRight, start, end
    case earlier, later
    case clearScreen, interrupt, endOfInput, suspend
    case unknown
}
