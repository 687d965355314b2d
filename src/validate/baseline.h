#pragma once
// Findings that are known and accepted for now, kept in a file: those are not reported, all others
// are. An entry names file, object, code and path, and no line, so that it outlives edits elsewhere
// in the file.
//
//   version: 1
//   findings:
//   - file: apps/web.yaml
//     resource: apps/v1/Deployment/shop/web
//     code: unknown_key
//     path: /spec/replicaz
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "validate/finding.h"

namespace strake::validate {

class Baseline {
 public:
  // How the baseline names a file of a result.
  using FileName = std::function<std::string(const std::string&)>;

  struct Entry {
    std::string file;
    std::string resource;
    std::string code;
    std::string path;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  Baseline() = default;
  // Fails with the place in the text: kParse, kInvalid for an unknown key or version.
  static Result<Baseline> read(std::string_view text, const std::string& source);
  // Everything in the results, but for texts that cannot be read.
  static Baseline of(std::span<const FileResult> results, const FileName& name);
  std::string to_yaml() const;

  // Takes out what is known, and counts it. Returns the entries of files that were checked and that
  // did not have the finding any more, and those of files that `exists` denies.
  std::vector<Entry> apply(std::vector<FileResult>& results, const FileName& name,
                           const std::function<bool(const std::string&)>& exists) const;

  std::size_t size() const;

 private:
  std::map<Entry, std::size_t> counts_;  // a finding may be there several times
};

}  // namespace strake::validate
