#pragma once
// Which code points are printed as they are and which are escaped. The answer is that of Go's
// unicode.IsPrint in the release kube-apiserver 1.36 is built with (Unicode 15.0), because it
// shows in error messages.

namespace strake {

bool is_printable_slow(char32_t code_point);

// Letters, marks, numbers, punctuation, symbols and the ASCII space.
inline bool is_printable(char32_t code_point) {
  if (code_point < 0x7f) return code_point >= 0x20;
  return is_printable_slow(code_point);
}

}  // namespace strake
