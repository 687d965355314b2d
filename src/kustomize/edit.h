#pragma once
// Changes to a kustomization file: fields are set and added to, and the file is written again with
// its fields in their order and the comments between them kept, as the reference writes it.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/kustomization.h"
#include "value/document.h"

namespace strake::kustomize {

class KustomizationEditor {
 public:
  // An empty text is a file that is new. Deprecated fields that have a plain successor (bases,
  // imageTags, env) are moved to it. Fails like read_kustomization().
  static Result<KustomizationEditor> read(std::string_view text);

  void set_text(std::string_view field, std::string_view text);  // empty removes the field
  // Entries of a map of texts. Without `replace` one that is there is an error, named by `what`.
  Result<> put_entries(std::string_view field, const TextMap& entries, bool replace,
                       std::string_view what);
  Result<> remove_entries(std::string_view field, const std::vector<std::string>& keys,
                          std::string_view what);
  bool append_text(std::string_view field, std::string_view text);  // false when it is there
  bool remove_text(std::string_view field, std::string_view text);  // false when it is not
  void append_labels(const TextMap& pairs, bool include_templates);
  void append_patch(const Patch& patch);
  Result<> append_generator(bool secret, const GeneratorArgs& args);
  // New values win; "*" keeps what is there. Sorted by name.
  void set_images(const std::vector<Image>& images);
  void set_replicas(const std::vector<Replica>& replicas);
  // What `edit fix` does besides: patches of the older kinds become `patches`, commonLabels become
  // `labels`. `is_file` tells paths from inline patches.
  Result<> fix(bool (*is_file)(const std::string& path));

  std::string text() const;

 private:
  struct Part {
    std::string field;    // as the reference calls it
    std::string comment;  // lines before it
  };

  explicit KustomizationEditor(value::Document document) : document_(std::move(document)) {}
  Arena& arena() { return document_.arena(); }
  value::Value* find(std::string_view field);
  value::Value& list(std::string_view field);
  void note_parts(std::string_view text);

  value::Document document_;
  std::vector<Part> parts_;
};

// "<image>=<new image>:<tag>@<digest>" and its shorter forms. Fails with kUsage.
Result<Image> parse_image_argument(std::string_view text);
// "name=count".
Result<Replica> parse_replica_argument(std::string_view text);
// "key:value", several.
Result<TextMap> parse_pairs(const std::vector<std::string>& texts, std::string_view what);

}  // namespace strake::kustomize
