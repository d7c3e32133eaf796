package import Localization

/// The reason why the history cannot be read or written.
package struct HistoryError: LocalizedMessageError, Hashable {
  package enum Kind: Hashable, Sendable {
    /// The file is no database, or its content contradicts itself.
    case damaged
    /// The disk is full or reports an error, or the file has reached a size limit of the system.
    case full
    /// Another process holds the file's lock for too long.
    case busy
    /// The file does not exist.
    case missing
    /// The file was written by a later version of the program.
    case newer
    /// Any other failure.
    case other
  }

  package let kind: Kind
  package let sentence: LocalizedMessage

  package init(_ kind: Kind, _ sentence: LocalizedMessage) {
    self.kind = kind
    self.sentence = sentence
  }
}
