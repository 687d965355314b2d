#pragma once
// Files in, findings out. A checker is immutable once made: any number of threads may check files
// with it.
//
//   Catalog catalog({.unknown = UnknownFields::kStrict});
//   STRAKE_TRY(auto count, catalog.add("crd.yaml", crd_text));
//   Checker checker(catalog, nullptr, {});
//   FileResult result = checker.check("garden.yaml", text);
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "validate/catalog.h"
#include "validate/finding.h"
#include "value/document.h"
#include "value/read_options.h"

namespace strake::validate {

enum class DuplicateKeys : std::uint8_t {
  kWarn,       // the last wins, with a warning, as with the server
  kError,      // the last wins, with an error
  kLastWins,   // without a word
  kFirstWins,  // without a word
};

struct CheckOptions {
  DuplicateKeys duplicates = DuplicateKeys::kWarn;
  std::size_t max_depth = 10'000;
  std::uint64_t max_file_bytes = std::uint64_t{1} << 30;  // decompressed
  std::uint64_t max_bytes = 3u << 20;  // of one document as JSON, as it would be sent
  std::size_t max_issues = 1000;       // of one document; the rest is counted
  bool ignore_missing_schemas = false;
  bool keep_output = false;
};

// The objects that the checked ones replace, by kind, namespace and name.
class OldObjects {
 public:
  // Objects of all documents of the text, also as items of lists. Fails when it cannot be read.
  Result<> add(const std::string& file, std::string_view text, const CheckOptions& options);
  // Null when there is none.
  const value::Value* find(const value::Value& object) const;

 private:
  std::deque<value::Document> documents_;  // never moves them
  std::map<std::string, const value::Value*, std::less<>> by_key_;
};

class Checker {
 public:
  // The catalog, and the old objects when there are any, must outlive the checker.
  Checker(const Catalog& catalog, const OldObjects* old, const CheckOptions& options)
      : catalog_(catalog), old_(old), options_(options) {}

  // The bytes of a file, compressed or not.
  FileResult check(const std::string& file, std::string_view bytes) const;

 private:
  const Catalog& catalog_;
  const OldObjects* old_;
  CheckOptions options_;
};

// The result for a file that could not even be read.
FileResult unreadable_file(const std::string& file, const Error& error);

// A file's text: decompressed when it is gzip.
Result<std::string> plain_text(std::string bytes, std::uint64_t limit);

}  // namespace strake::validate
