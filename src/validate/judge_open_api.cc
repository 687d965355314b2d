#include <mutex>

#include "schema/loose/file_resolver.h"
#include "validate/judges.h"
#include "validate/phrases.h"
#include "value/fields.h"

namespace strake::validate {
namespace {

namespace loose = schema::loose;
using value::Value;

// One component of a document. It is imported when the first object of its kind is met.
class ComponentJudge final : public Judge {
 public:
  ComponentJudge(std::shared_ptr<const value::Document> document, std::string file,
                 std::string pointer, const JudgeOptions& options)
      : document_(std::move(document)),
        file_(std::move(file)),
        pointer_(std::move(pointer)),
        options_(options) {}

  std::vector<Fault> judge(const Subject& subject) const override { return made().judge(subject); }
  void fill_defaults(Value& object, Arena& arena) const override {
    made().fill_defaults(object, arena);
  }
  bool knows(const FieldPath& path) const override { return made().knows(path); }
  bool takes_literals() const override { return made().takes_literals(); }
  std::unique_ptr<StreamJudge> stream(const StreamLimits& limits) const override {
    return made().stream(limits);
  }

 private:
  const Judge& made() const {
    std::call_once(once_, [this] { judge_ = make(); });
    return *judge_;
  }

  std::unique_ptr<const Judge> make() const {
    loose::ImportOptions how = import_options(file_, options_);
    how.root = pointer_;
    auto imported = loose::import_schema(document_->root(), how);
    if (!imported) {
      return judge_without_schema(say(Phrase::kSchemaUnusable, imported.error().to_string()));
    }
    const loose::LooseNode* root = imported->schema->root();
    const bool of_server = options_.profile != Profile::kLoose;
    return judge_loosely({.schema = std::move(imported->schema),
                          .root = root,
                          .resource = true,
                          .of_server = of_server},
                         options_);
  }

  std::shared_ptr<const value::Document> document_;
  std::string file_;
  std::string pointer_;
  JudgeOptions options_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const Judge> judge_;
};

std::string escaped(std::string_view name) { return (FieldPath() / name).to_pointer(); }

}  // namespace

loose::ImportOptions import_options(const std::string& file, const JudgeOptions& options) {
  loose::ImportOptions out;
  out.resolver = options.resolver;
  if (options.resolver == nullptr || file == "-") return out;
  if (file.find("://") != std::string::npos) {
    out.base_uri = file;
    return out;
  }
  const bool whole = file.starts_with('/');
  out.base_uri = loose::file_uri(whole ? file : fmt::format("{}/{}", options.folder, file));
  return out;
}

std::vector<KindJudge> judges_of_open_api(std::shared_ptr<const value::Document> document,
                                          const std::string& file, const JudgeOptions& options) {
  std::vector<KindJudge> out;
  const Value& root = document->root();
  const Value* components = root.find("components");
  const bool swagger = components == nullptr;
  const Value* schemas = swagger ? root.find("definitions") : components->find("schemas");
  if (schemas == nullptr || !schemas->is_object()) return out;
  for (const value::Member& m : schemas->members()) {
    const Value* kinds = m.value.find("x-kubernetes-group-version-kind");
    if (kinds == nullptr || !kinds->is_array()) continue;
    const std::string pointer =
        (swagger ? "#/definitions" : "#/components/schemas") + escaped(m.key);
    auto judge = std::make_shared<const ComponentJudge>(document, file, pointer, options);
    for (const Value& kind : kinds->items()) {
      out.push_back({{std::string(text_of(kind, "group")), std::string(text_of(kind, "version")),
                      std::string(text_of(kind, "kind"))},
                     judge});
    }
  }
  return out;
}

std::vector<loose::Diagnostic> diagnostics_of_open_api(const Value& document,
                                                       const std::string& file,
                                                       const JudgeOptions& options) {
  auto imported = loose::import_schema(document, import_options(file, options));
  if (imported) return std::move(imported->diagnostics);
  return {{.message = say(Phrase::kSchemaUnusable, imported.error().to_string())}};
}

}  // namespace strake::validate
