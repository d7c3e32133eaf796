import ArgumentParser
import CLibrary
import Localization

/// A failure with a message for the user; exit code 1.
struct CommandError: LocalizedMessageError {
  let sentence: LocalizedMessage

  init(_ sentence: LocalizedMessage) { self.sentence = sentence }

  init(_ phrase: MessageKey, _ values: any MessageArgument...) { sentence = LocalizedMessage(phrase, values: values) }
}

extension LocalizedMessage {
  /// The system's message for the current `errno`.
  static var ofLastCall: LocalizedMessage { .foreign(String(cString: strerror(errno))) }
}

extension ValidationError {
  /// Creates a usage error with a message in the program's language; exit code 2.
  init(_ phrase: MessageKey, _ values: any MessageArgument...) {
    self.init(CLILanguage.words.text(LocalizedMessage(phrase, values: values)))
  }
}

extension ArgumentHelp {
  /// Returns a help text in the program's language.
  static func phrase(_ phrase: MessageKey, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(CLILanguage.words(phrase), valueName: valueName)
  }
}
