// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog

/// Help where a command's name is misspelt, about which the parser says only that the argument is unexpected.
enum CommandSpelling {
    /// Nil if the arguments begin with names of commands.
    static func advice(_ arguments: [String], under root: any ParsableCommand.Type) -> String? {
        var command = root
        var names: [String] = []
        // `hearth help rules check`
        for argument in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            let children = command.configuration.subcommands
            guard !children.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
            if let child = children.first(where: { $0.configuration.commandName == argument }) {
                command = child
                names.append(argument)
                continue
            }
            let known = children.compactMap { $0.configuration.commandName }
            let nearest = nearestWord(to: argument, among: known).map {
                ": did you mean \((names + [$0]).joined(separator: " "))?"
            }
            let place = names.isEmpty ? "" : " of hearth \(names.joined(separator: " "))"
            return
                "there is no command \"\(argument)\"\(place)\(nearest ?? "; there are \(known.joined(separator: ", "))")"
        }
        return nil
    }
}
