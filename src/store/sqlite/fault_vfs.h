#pragma once
// A file layer for tests that fails when told to: at the n-th touch of the disk, once or from then
// on. It passes everything else on to the usual layer. One for the whole process.
#include <cstdint>
#include <string>

namespace strake::store::sqlite {

enum class Fault : std::uint8_t {
  kFull,       // no space for a write
  kTornWrite,  // half of a write arrives, then an error
  kSync,       // a flush fails; writes arrive
  kRead,       // reading fails
};

class FaultVfs {
 public:
  // Registers it on first use.
  static const std::string& name();

  // The n-th touch of that kind from now on fails, counting from 1; all later ones too unless
  // `once`.
  static void arm(Fault fault, std::int64_t nth, bool once);
  static void disarm();
  // Whether anything has failed since it was armed.
  static bool tripped();
};

}  // namespace strake::store::sqlite
