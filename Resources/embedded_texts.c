#include "embedded_texts.h"

// NB: C23's #embed compiles at once; the same bytes as a Swift array literal take the compiler 14 s.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define TEXT(array) ((struct embedded_text){.bytes = (array), .count = sizeof(array)})

struct embedded_text embedded_names(void) {
  static const uint8_t bytes[] = {
#embed "names.txt"
  };
  return TEXT(bytes);
}

struct embedded_text embedded_english(void) {
  static const uint8_t bytes[] = {
#embed "en.txt"
  };
  return TEXT(bytes);
}

struct embedded_text embedded_french(void) {
  static const uint8_t bytes[] = {
#embed "fr.txt"
  };
  return TEXT(bytes);
}

struct embedded_text embedded_traditional_chinese(void) {
  static const uint8_t bytes[] = {
#embed "zh-Hant.txt"
  };
  return TEXT(bytes);
}
