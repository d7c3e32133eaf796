// Foundation without its internationalization data, where that part is separate: on Linux it would cost 60 MB of
// memory.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
