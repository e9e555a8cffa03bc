// SPDX-License-Identifier: Apache-2.0

extension Language {
    static let kotlin: Language = {
        var language = Language(name: "kotlin", fileExtensions: ["kt", "kts"])
        language.nestsComments = true
        language.quotes[UInt8(ascii: "'")] = .literal
        language.hasTripleQuotes = true
        language.interpolation = .dollarNames
        language.hasElvis = true
        language.quotesNames = true
        language.braces = .closure
        language.functionWords = ["fun"]
        language.declarationWords = ["val", "var"]
        language.hasTypeAnnotations = true
        language.hasEqualsLabels = true
        language.hasExtensionProperties = true
        language.calls = javaCalls
        language.functions = javaFunctions
        language.functions.merge(["lazy": .closure, "listOf": .list, "arrayOf": .list, "mutableListOf": .list]) { $1 }
        return language
    }()
}
