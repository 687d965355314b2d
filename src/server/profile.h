#pragma once
// Where the process spends its processor time: the kernel interrupts whichever thread runs, after
// so much time of the processor, and the addresses that it runs are counted. The answer is in the
// format of pprof (profile.proto), which finds the names in the program's own file.
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace strake::server {

// Addresses from the innermost frame outwards, and how often they were met.
using StackCounts = std::map<std::vector<std::uintptr_t>, std::uint64_t>;

// A part of the address space that was read from a file.
struct MappedFile {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t offset = 0;
  std::string path;
};
// Of this process, those that may be executed.
std::vector<MappedFile> mapped_files();

class CpuProfile {
 public:
  static constexpr std::chrono::milliseconds kPeriod{10};

  // Begins to take samples. kAlreadyExists when somebody else does: there is one at a time.
  static Result<std::unique_ptr<CpuProfile>> start();
  // Takes none from now on. No handler is under way when it returns.
  ~CpuProfile();
  CpuProfile(const CpuProfile&) = delete;
  CpuProfile& operator=(const CpuProfile&) = delete;

  // What was met so far, without what there was no room for.
  StackCounts stacks() const;
  std::uint64_t dropped() const;

 private:
  CpuProfile() = default;
  void stop();
};

// As profile.proto, not compressed.
std::string to_pprof(const StackCounts& stacks, const std::vector<MappedFile>& files,
                     WallTime begun, std::chrono::nanoseconds took,
                     std::chrono::nanoseconds period);

}  // namespace strake::server
