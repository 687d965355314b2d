#pragma once
// Changes to a kustomization file: fields are set and added to, and the file is written again with
// its fields in their order and the comments between them kept, as kustomize v5.5.0 writes it.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/config/kustomization.h"
#include "value/document.h"

namespace strake::kustomize {

// What replace_vars() reads and writes; paths are those of the kustomization.
class EditFiles {
 public:
  virtual ~EditFiles() = default;
  virtual Result<std::string> read(const std::string& path) = 0;
  virtual Result<> write(const std::string& path, std::string_view text) = 0;
};

class KustomizationEditor {
 public:
  // An empty text is a file that is new. Deprecated fields that have a plain successor (bases,
  // imageTags, env) are moved to it. Fails like read_kustomization().
  static Result<KustomizationEditor> read(std::string_view text);

  void set_text(std::string_view field, std::string_view text);  // empty removes the field
  // Entries of a map of texts. Without `replace` one that is there is an error, named by `what`.
  Result<> put_entries(std::string_view field, const TextMap& entries, bool replace,
                       std::string_view what);
  // With `ignore` what is not there is no error.
  Result<> remove_entries(std::string_view field, const std::vector<std::string>& keys, bool ignore,
                          std::string_view what);
  bool append_text(std::string_view field, std::string_view text);  // false when it is there
  std::vector<std::string> texts(std::string_view field) const;
  void set_texts(std::string_view field, const std::vector<std::string>& texts);
  void append_labels(const TextMap& pairs, bool include_templates);
  bool append_patch(const Patch& patch);  // false when it is there
  bool remove_patch(const Patch& patch);  // false when it is not
  // configMapGenerator, or secretGenerator. No namespace is the namespace "default" here. What is
  // there is added to; the type of a secret counts only when it is new.
  void append_generator(bool secret, const GeneratorArgs& args);
  // New values for literals that are there, and a new namespace unless that is empty. kNotFound.
  Result<> set_generator(bool secret, const GeneratorArgs& args, std::string_view new_namespace);
  // The names that were found.
  std::set<std::string> remove_generators(bool secret, const std::vector<std::string>& names,
                                          std::string_view namespace_name);
  // New values win; "*" keeps what is there. Sorted by name.
  void set_images(const std::vector<Image>& images);
  void set_replicas(const std::vector<Replica>& replicas);
  // What `edit fix` does besides: patches of the older kinds become `patches`, commonLabels become
  // `labels`. `is_file` tells paths from inline patches.
  Result<> fix(bool (*is_file)(const std::string& path));
  // `vars` become `replacements`, and the files that use them are written anew with a placeholder
  // where the variable was. Those of bases are, too. Fails when a variable stands in the midst of a
  // text without a delimiter.
  Result<> replace_vars(EditFiles& files);

  std::string text() const;

 private:
  struct Part {
    std::string field;    // as kustomize v5.5.0 calls it
    std::string comment;  // lines before it
  };

  explicit KustomizationEditor(value::Document document) : document_(std::move(document)) {}
  Arena& arena() { return document_.arena(); }
  value::Value* find(std::string_view field);
  value::Value& list(std::string_view field);
  value::Value* find_generator(bool secret, std::string_view name, std::string_view namespace_name);
  void merge_generator_options(value::Value& generator);
  void note_parts(std::string_view text);

  value::Document document_;
  std::vector<Part> parts_;
};

}  // namespace strake::kustomize
