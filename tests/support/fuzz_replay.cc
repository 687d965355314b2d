// Runs a fuzz target over the files of its corpus, so that what a fuzzer once found stays fixed in
// every build.
#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "support/vectors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  std::size_t replayed = 0;
  for (int i = 1; i < argc; ++i) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(argv[i], ignored)) {
      const std::string bytes = strake::testing::read_file(entry.path());
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++replayed;
    }
  }
  std::printf("replayed %zu inputs\n", replayed);
  return replayed == 0 ? 1 : 0;  // a corpus that went missing must not look like a pass
}
