#pragma once
// Files in, findings out. A checker is immutable once made: any number of threads may check files
// with it.
//
//   Catalog catalog({.unknown = UnknownFields::kStrict});
//   STRAKE_TRY(auto count, catalog.add("crd.yaml", crd_text));
//   Checker checker(catalog, nullptr, {});
//   FileResult result = checker.check("garden.yaml", text);
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "validate/byte_source.h"
#include "validate/catalog.h"
#include "validate/finding.h"
#include "validate/old_objects.h"
#include "validate/parsed_file.h"
#include "validate/result_budget.h"
#include "value/document.h"
#include "value/read_options.h"

namespace strake::validate {

enum class DuplicateKeys : std::uint8_t {
  kWarn,       // the last wins, with a warning, as with the server
  kError,      // the last wins, with an error
  kLastWins,   // without a word
  kFirstWins,  // without a word
};

// What is kept of objects that are right.
enum class Output : std::uint8_t {
  kNone,
  kStored,      // as the server would store them: pruned, with defaults
  kPreserving,  // as they were sent, without what was pruned: no defaults, and nulls stay
};

// "Secret", "apps/Deployment" or "Certificate.cert-manager.io".
struct KindSelector {
  std::optional<std::string> group;  // any when there is none
  std::string kind;

  bool matches(std::string_view of_group, std::string_view of_kind) const {
    return kind == of_kind && (!group || *group == of_group);
  }
};
Result<KindSelector> parse_kind_selector(std::string_view text);  // Code::kUsage

struct CheckOptions {
  DuplicateKeys duplicates = DuplicateKeys::kWarn;
  std::size_t max_depth = 10'000;
  std::uint64_t max_file_bytes = std::uint64_t{1} << 30;  // decompressed
  std::uint64_t max_bytes = 3u << 20;  // of one document as JSON, as it would be sent
  std::size_t max_issues = 1000;       // of one document; the rest is counted
  ResultLimits results;                // of one file; a run over many has a RunBudget
  value::NumberPolicy numbers = value::NumberPolicy::kApi;
  // YAML by the rules of 1.2 core, with a warning wherever a server would read something else.
  bool yaml_core = false;
  bool ignore_missing_schemas = false;
  // Documents that are no manifests are skipped: those of other tools, templates, and those with
  // neither apiVersion nor kind. Else they are errors, unless the name of the file or the kind
  // tells what they are.
  bool manifests_only = false;
  std::vector<KindSelector> skip;  // kinds that are not judged
  bool ignore_comments = false;    // strake:ignore counts
  Output output = Output::kNone;
  PresenceOptions presence;
  bool note_defaults = false;  // list where defaults would apply; for DefaultMode::kAnnotate
  const Reviewer* reviewer = nullptr;  // must outlive the checker
  const Judge* any = nullptr;  // judges what no schema of a kind does; must outlive the checker
};

// What a list says for all of its items. Empty outside of lists.
struct ImpliedType {
  std::string api_version;
  std::string kind;
};
// Items of a resource's own list may leave out what the list says for all of them.
ImpliedType implied_by(std::string_view api_version, std::string_view list_kind);
// Whether objects of a list's kind are taken apart.
bool is_list_kind(std::string_view api_version, std::string_view kind, const Catalog& catalog);

// How a file is read for a check.
value::ReadOptions read_options(const std::string& file, const CheckOptions& options,
                                bool positions);
// Whether a check reads a text as the catalog does, so that both can use the same documents.
bool reads_like_catalog(const CheckOptions& options);

class Checker {
 public:
  // The catalog, and the old objects when there are any, must outlive the checker.
  Checker(const Catalog& catalog, const OldObjects* old, const CheckOptions& options)
      : catalog_(catalog), old_(old), options_(options) {}

  // The bytes of a file, compressed or not.
  FileResult check(const std::string& file, std::string_view bytes) const;
  // The same for documents that were parsed with read_options(), for positions or, when nobody asks
  // where findings stand, without.
  FileResult check(const ParsedFile& parsed) const;
  // The same for a text that is known to have faults: it is parsed once, for their places.
  FileResult check_faulty(const std::string& file, std::string_view text) const;
  // JSON documents one after the other, from a source that is too large to be held. Documents, and
  // items of lists, that fit into `limits.hold` are judged one by one as check() would; larger ones
  // as they pass, and then the result is Status::kUnknown when something could not be looked at.
  // Documents that are fine are counted, not listed. Presence and old objects are not for documents
  // that pass, and output and presence only for `on_document`. The output of documents that pass
  // goes to `limits.projection` as they are read, before it is known whether they are fine:
  // DocumentResult::output_passed tells that it is whole, and worth keeping.
  //
  // The source may be compressed. `on_document`, when given, is told of each document and each item
  // of a list once it has been judged, fine or not; when it returns false no more is read.
  using OnDocument = std::function<bool(const DocumentResult&)>;
  FileResult check_stream(const std::string& file, ByteSource& source, const StreamLimits& limits,
                          const OnDocument& on_document = {}) const;

 private:
  friend class StreamCheck;
  // An object that may leave out its type, which the list around it tells.
  FileResult check_part(const std::string& file, std::string_view text,
                        const ImpliedType& implied) const;

  // Whether objects are compared with what they were before they were judged.
  bool compares() const;
  void apply_comments(std::string_view text, FileResult& result) const;

  const Catalog& catalog_;
  const OldObjects* old_;
  CheckOptions options_;
};

// The result for a file that could not even be read.
FileResult unreadable_file(const std::string& file, const Error& error);

// A file's text: decompressed when it is gzip.
Result<std::string> plain_text(std::string bytes, std::uint64_t limit);

}  // namespace strake::validate
