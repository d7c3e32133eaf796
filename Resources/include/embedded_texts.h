// The text files of this folder, built into the program.
#ifndef TOTEBOARD_EMBEDDED_TEXTS_H
#define TOTEBOARD_EMBEDDED_TEXTS_H

#include <stddef.h>
#include <stdint.h>

// UTF-8, without a null at the end. The bytes are constant and always valid.
struct embedded_text {
  const uint8_t *bytes;
  size_t count;
};

struct embedded_text embedded_names(void);
struct embedded_text embedded_english(void);
struct embedded_text embedded_french(void);
struct embedded_text embedded_traditional_chinese(void);

#endif
