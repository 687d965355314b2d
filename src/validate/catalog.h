#pragma once
// The schemas at hand, by kind. Files are looked at once when they are added; a CRD is read on the
// first question for its kind, a version compiled on the first question for that version. Adding
// belongs to one thread; then any number of threads may ask.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "meta/gvk.h"
#include "validate/judge.h"
#include "validate/judges.h"
#include "validate/parsed_file.h"
#include "validate/scan.h"

namespace strake::validate {

// Whether CRDs are checked themselves.
enum class Trust : std::uint8_t {
  kAsOptionsSay,
  kInput,  // they are inputs of the check, which tells what is wrong with them
  kTaken,  // a server has taken them already
};

class BuiltinKinds;

class Catalog {
 public:
  explicit Catalog(const JudgeOptions& options);
  ~Catalog();
  Catalog(Catalog&&) noexcept;

  // Takes in the CRDs of a text, wherever they stand in it, also as items of lists, and the kinds
  // of OpenAPI documents; everything else is passed over. Returns how many there were. Fails with
  // kParse or kLimit when the text had to be read and could not be.
  Result<std::size_t> add(const std::string& file, std::shared_ptr<const std::string> text,
                          Trust trust = Trust::kAsOptionsSay);
  // The same with what scan_text() has found in the text.
  Result<std::size_t> add(const std::string& file, std::shared_ptr<const std::string> text,
                          std::span<const ScannedPart> parts, Trust trust = Trust::kAsOptionsSay);
  // The same with what was parsed; documents are shared, not parsed again.
  Result<std::size_t> add(const std::shared_ptr<const ParsedFile>& parsed, Trust trust);
  // A judge of another making, for built-in kinds. What was added first is found first.
  void add(const meta::GroupVersionKind& gvk, std::shared_ptr<const Judge> judge);

  // Null when there is none. The kinds of Kubernetes come last.
  const Judge* find(const meta::GroupVersionKind& gvk) const;
  // The same among the schemas that were added, and for definitions.
  const Judge* find_added(const meta::GroupVersionKind& gvk) const;
  // How a kind is served, where a CRD says so.
  struct Served {
    std::string plural;
    bool namespaced = true;
    std::vector<std::string> versions;
  };
  std::optional<Served> served_as(const meta::GroupVersionKind& gvk) const;
  // Every kind and version of the schemas that were added, sorted. Reads all CRDs.
  std::vector<meta::GroupVersionKind> added_kinds() const;
  // Whether there is a schema for the kind, be it of another version.
  bool knows(const meta::GroupKind& group_kind) const;
  // Why there is none, and what there is instead; for a hint. Empty when nothing is near.
  std::string explain_missing(const meta::GroupVersionKind& gvk) const;

  // A file with a CRD that was asked for and that the server would refuse.
  struct Refused {
    std::string file;
    std::shared_ptr<const std::string> text;  // of the file
  };
  // In the order in which they were added.
  std::vector<Refused> refused_files() const;

  // A CRD that is not used, because another one of the same kind came first and says something
  // else.
  struct Shadowed {
    std::string file;
    std::string message;
  };
  // Since the last call.
  std::vector<Shadowed> take_shadowed() { return std::exchange(shadowed_, {}); }
  // What OpenAPI documents say and is not taken as written, when they are imported at once.
  struct Approximated {
    std::string file;
    schema::loose::Diagnostic about;
  };
  std::vector<Approximated> take_approximated() { return std::exchange(approximated_, {}); }

 private:
  class Definition;
  // Of built-in kinds.
  std::vector<std::string_view> versions_of(const meta::GroupKind& group_kind) const;
  void add_definition(const meta::GroupKind& group_kind, std::shared_ptr<Definition> definition);
  std::size_t add_document(const std::string& file, const std::shared_ptr<const std::string>& text,
                           const std::shared_ptr<const value::Document>& document, Trust trust);

  JudgeOptions options_;
  std::unique_ptr<const Judge> definitions_judge_;
  std::unique_ptr<const BuiltinKinds> builtin_;  // null when they are not asked for
  std::map<meta::GroupKind, std::vector<std::shared_ptr<Definition>>> definitions_;
  std::vector<std::shared_ptr<Definition>> in_order_;
  std::map<meta::GroupVersionKind, std::shared_ptr<const Judge>> judges_;
  std::vector<Shadowed> shadowed_;
  std::vector<Approximated> approximated_;
};

}  // namespace strake::validate
