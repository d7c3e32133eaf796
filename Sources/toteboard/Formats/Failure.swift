import ArgumentParser
import Localization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A failure with what is said of it to the user; exit code 1.
struct Failure: LocalizedMessageError {
  let sentence: LocalizedMessage

  init(_ sentence: LocalizedMessage) { self.sentence = sentence }

  init(_ phrase: MessageKey, _ values: any MessageArgument...) { sentence = LocalizedMessage(phrase, values: values) }
}

extension LocalizedMessage {
  /// What the system says of its last call.
  static var ofLastCall: LocalizedMessage { .foreign(String(cString: strerror(errno))) }
}

extension ValidationError {
  /// Wrong usage, told in the process's language; exit code 2.
  init(_ phrase: MessageKey, _ values: any MessageArgument...) {
    self.init(CLILanguage.words.text(LocalizedMessage(phrase, values: values)))
  }
}

extension ArgumentHelp {
  /// A phrase in the process's language.
  static func phrase(_ phrase: MessageKey, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(CLILanguage.words(phrase), valueName: valueName)
  }
}
