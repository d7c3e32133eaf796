import ArgumentParser
import Wording

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A failure with what is said of it to the user; exit code 1.
struct Failure: TellableError {
  let sentence: Sentence

  init(_ sentence: Sentence) { self.sentence = sentence }

  init(_ phrase: Phrase, _ values: any Sayable...) { sentence = Sentence(phrase, values: values) }
}

extension Sentence {
  /// What the system says of its last call.
  static var ofLastCall: Sentence { .foreign(String(cString: strerror(errno))) }
}

extension ValidationError {
  /// Wrong usage, told in the process's language; exit code 2.
  init(_ phrase: Phrase, _ values: any Sayable...) {
    self.init(Speech.words.text(Sentence(phrase, values: values)))
  }
}

extension ArgumentHelp {
  /// A phrase in the process's language.
  static func phrase(_ phrase: Phrase, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(Speech.words(phrase), valueName: valueName)
  }
}
