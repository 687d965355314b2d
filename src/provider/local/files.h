#pragma once
// Files and folders as steps that can be watched and failed (provider/external.h). What is written
// is there whole or not at all, and on disk. Failures are kInternal and name the path.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provider/external.h"

namespace strake::provider::local {

class Files {
 public:
  // The calls must outlive it.
  explicit Files(ExternalCalls& calls) : calls_(calls) {}
  ExternalCalls& calls() const { return calls_; }

  // Sorted; none when there is no such folder. Fails with kValidation past 100,000.
  Outcome<std::vector<std::string>> names(const Call& call, const std::string& folder) const;
  // Nothing when it is not there. At most `limit` bytes.
  Outcome<std::optional<std::string>> read(const Call& call, const std::string& path,
                                           std::uint64_t limit) const;
  // Whether anything has that name; links are not followed.
  Outcome<bool> exists(const Call& call, const std::string& path) const;

  // With the folders above it, below a folder that is there; mode 0700.
  Outcome<> make_folder(const Call& call, const std::string& path) const;
  Outcome<> write(const Call& call, const std::string& path, std::string_view content) const;
  // Where nothing has the new name: else kConflict.
  Outcome<> rename(const Call& call, const std::string& from, const std::string& to) const;
  // With all that is in it. One that is not there is no failure.
  Outcome<> remove(const Call& call, const std::string& path) const;
  // Unless there is something in it, or it is not there.
  Outcome<> remove_if_empty(const Call& call, const std::string& folder) const;

 private:
  ExternalCalls& calls_;
};

// kInternal: "cannot <doing> <what>: <the system's reason>", for a number of errno.
std::unexpected<Failure> cannot(std::string_view doing, const std::string& what, int reason);

// So that what was renamed or made in it stays so when the power fails. False with the reason in
// errno.
bool flush_folder(const std::string& folder);

}  // namespace strake::provider::local
