#include "ops/kom/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <tuple>

#include "base/quote.h"
#include "ops/kom/definitions.h"
#include "ops/kom/models.h"
#include "ops/kom/schemas.h"
#include "provider/names/quote_briefly.h"
#include "validate/parsed_file.h"
#include "value/fields.h"

namespace strake::ops {
namespace {

using provider::quote_briefly;
using provider::ResourceId;
using value::text_of;
using value::Value;

constexpr std::array<std::string_view, 5> kParentsFirst = {"Workspace", "Provider", "Cluster",
                                                           "App", "Box"};

std::size_t rank_of(const KomDocument& document) {
  const auto found = std::ranges::find(kParentsFirst, document.kind);
  return static_cast<std::size_t>(found - kParentsFirst.begin());
}

std::string lower_kind(std::string_view kind) {
  std::string out(kind);
  if (!out.empty() && out[0] >= 'A' && out[0] <= 'Z')
    out[0] = static_cast<char>(out[0] - 'A' + 'a');
  return out;
}

// Kompox's words for what is found once documents are known by their IDs.
std::string validation_error(const KomDocument& document, std::string_view id,
                             std::string_view words) {
  return fmt::format("{} {} validation error: {} from {} (document {})", lower_kind(document.kind),
                     quote_briefly(id), words, document.path, document.index);
}

// One document of a file, from its text to its model.
class KomReading {
 public:
  KomReading(const std::string& path, value::Document document, KomProblems& problems)
      : problems_(problems), index_(document.index() + 1) {
    out_.path = path;
    out_.index = index_;
    out_.at = document.start();
    out_.object = std::move(document);
  }

  // Nothing when there is nothing to keep.
  std::optional<KomDocument> read(bool with_defaults) && {
    if (is_empty() || !read_type() || (out_.kind == "Defaults" && !with_defaults)) return {};
    out_.name = text_of(root().get("metadata"), "name");
    bool good = judge();
    if (out_.kind != "Defaults") good = read_id() && good;
    if (good) good = read_model();
    if (!good) out_.model = std::monostate();
    if (!good && !out_.id) return {};
    annotate();
    return std::move(out_);
  }

 private:
  const Value& root() const { return std::as_const(out_.object).root(); }

  void add(Position at, std::string message) {
    problems_.add(Error(Code::kInvalid, std::move(message)).in(out_.path).at(at));
  }
  bool refuse(Position at, std::string_view words) {
    add(at, fmt::format("document {} in {}: {}", index_, quote(out_.path), words));
    return false;
  }

  bool is_empty() const {
    return root().is_null() || (root().is_object() && root().members().empty());
  }

  // False when it is none of ours, or cannot be told.
  bool read_type() {
    const Position start = out_.object.start();
    if (!root().is_object()) return refuse(start, "must be a mapping");
    const Value& version = root().get("apiVersion");
    const Value& kind = root().get("kind");
    if (!version.is_string()) return refuse(start, "missing or invalid apiVersion");
    if (!kind.is_string()) return refuse(start, "missing or invalid kind");
    if (version.as_string() != kKomApiVersion) return false;
    out_.kind = kind.as_string();
    if (KomSchemas::is_declared(out_.kind)) return true;
    return refuse(out_.object.position(FieldPath() / "kind"),
                  fmt::format("unsupported kind: {}", std::string_view(out_.kind).substr(0, 100)));
  }

  bool judge() {
    const std::vector<KomFault> faults = KomSchemas::get().check(out_.kind, root());
    for (const KomFault& fault : faults) add_fault(fault);
    return faults.empty();
  }

  void add_fault(const KomFault& fault) {
    const Position at =
        fault.at_key ? out_.object.key_position(fault.path) : out_.object.position(fault.path);
    // Kompox finds what is wrong with a box together with IDs and parents.
    if (out_.kind == "Box") {
      const std::string_view id = text_of(annotations(), kIdAnnotation);
      add(at, validation_error(out_, id.empty() ? out_.name : id, fault.to_string()));
    } else {
      add(at, fmt::format("{} {}: {}", lower_kind(out_.kind), quote_briefly(out_.name),
                          fault.to_string()));
    }
  }

  const Value& annotations() const { return root().get("metadata").get("annotations"); }

  bool read_id() {
    const FieldPath path = (FieldPath() / "metadata" / "annotations").key(kIdAnnotation);
    const Value* text = annotations().find(kIdAnnotation);
    out_.at = out_.object.position(path);
    if (text == nullptr || !text->is_string())
      return refuse(out_.at, fmt::format("annotation \"{}\" is required", kIdAnnotation));
    auto id = ResourceId::parse(text->as_string());
    auto fits = id ? id->check_document(out_.kind, out_.name)
                   : provider::Outcome<>(std::unexpected(std::move(id).error()));
    if (!fits) return refuse(out_.at, fits.error().message());
    out_.id = *std::move(id);
    return true;
  }

  bool read_model() {
    const Value& spec = root().get("spec");
    const std::string id = out_.id ? out_.id->text() : std::string();
    const std::string parent(out_.id ? out_.id->parent() : std::string_view());
    std::vector<KomFault> faults;
    if (out_.kind == "Workspace") {
      check_workspace_spec(spec, faults);
      out_.model = provider::Workspace{.id = id, .name = out_.name};
    } else if (out_.kind == "Provider") {
      provider::ProviderEntity model{.id = id, .name = out_.name, .workspace_id = parent};
      read_provider_spec(spec, model, faults);
      out_.model = std::move(model);
    } else if (out_.kind == "Cluster") {
      provider::Cluster model{.id = id, .name = out_.name, .provider_id = parent};
      read_cluster_spec(spec, model, faults);
      out_.model = std::move(model);
    } else if (out_.kind == "App") {
      provider::App model{.id = id, .name = out_.name, .cluster_id = parent};
      read_app_spec(spec, model, faults);
      out_.model = std::move(model);
    } else if (out_.kind == "Box") {
      provider::Box model{.id = id, .name = out_.name, .app_id = parent};
      read_box_spec(spec, model);
      out_.model = std::move(model);
    } else {
      KomDefaults model{.app_id = std::string(text_of(spec, "appId"))};
      for (const Value& one : spec.get("komPath").items())
        model.kom_path.emplace_back(text_of(one));
      out_.model = std::move(model);
    }
    for (const KomFault& fault : faults) add_fault(fault);
    return faults.empty();
  }

  // Last of all: an object that is edited forgets where its parts stood.
  void annotate() {
    const Value& metadata = root().get("metadata");
    const Value& there = metadata.get("annotations");
    if (!(metadata.is_null() || metadata.is_object()) || !(there.is_null() || there.is_object()))
      return;
    const FieldPath at = FieldPath() / "metadata" / "annotations";
    Arena& arena = out_.object.arena();
    const std::string index = fmt::format("{}", out_.index);
    for (const auto& [key, text] :
         {std::pair<std::string_view, std::string_view>{kDocPathAnnotation, out_.path},
          std::pair<std::string_view, std::string_view>{kDocIndexAnnotation, index}})
      static_cast<void>(out_.object.set(at.key(key), Value::string(arena.copy(text))));
  }

  KomProblems& problems_;
  std::size_t index_;
  KomDocument out_;
};

}  // namespace

void read_kom_text(const std::string& path, std::string text, bool with_defaults,
                   std::vector<KomDocument>& out, KomProblems& problems) {
  value::ReadOptions options;
  options.limits.bytes = kMostKomFileBytes;
  options.limits.depth = 100;
  // For each document: many small ones could otherwise grow to gigabytes together.
  options.limits.alias_nodes = 2000;
  options.positions = true;
  validate::ParsedFile parsed = validate::parse_file(
      path, std::make_shared<const std::string>(std::move(text)), std::move(options));
  for (auto& document : parsed.documents) {
    if (!document) {
      problems.add(std::move(document).error().in(path));
      continue;
    }
    if (auto read = KomReading(path, *std::move(document), problems).read(with_defaults))
      out.push_back(*std::move(read));
  }
}

void check_across(std::vector<KomDocument>& documents, KomProblems& problems) {
  std::ranges::sort(documents, {}, [](const KomDocument& one) {
    return std::tuple(rank_of(one), std::string_view(one.id->text()), std::string_view(one.path),
                      one.index);
  });
  std::set<std::string_view> ids;
  const KomDocument* before = nullptr;
  for (const KomDocument& one : documents) {
    const std::string& id = one.id->text();
    std::string words;
    if (before != nullptr && before->id == one.id) {
      words = fmt::format("duplicate Resource ID, already defined at document {}", before->index);
      if (before->path != one.path) words += fmt::format(" of {}", before->path);
    } else if (const std::string_view parent = one.id->parent();
               !parent.empty() && !ids.contains(parent)) {
      words = fmt::format("parent {} does not exist", quote(parent));
    }
    if (!words.empty())
      problems.add(Error(Code::kInvalid, validation_error(one, id, words)).in(one.path).at(one.at));
    if (before == nullptr || before->id != one.id) before = &one;
    ids.insert(id);
  }
}

}  // namespace strake::ops
