#include "cli/cel/cel_session.h"

#include <algorithm>

#include "cel/compile.h"
#include "cel/cost/cost_estimate.h"
#include "cel/cost/cost_runtime.h"
#include "cel/value/shape_type.h"
#include "cli/cel/cel_outline.h"
#include "cli/io/documents.h"
#include "cli/io/files.h"
#include "resource/settle.h"
#include "rules/engine.h"
#include "rules/environment.h"
#include "rules/literals.h"
#include "rules/occurrences.h"
#include "rules/walk.h"
#include "schema/compile.h"
#include "value/fields.h"

namespace strake::cli {
namespace {

constexpr std::uint64_t kMaxInputBytes = std::uint64_t{1} << 28;
// Names of variables live as long as programs may.
constexpr std::string_view kSelf = "self";
constexpr std::string_view kOldSelf = "oldSelf";

// Data of which nothing is known but that it came in one request.
class RequestSized final : public cel::SizeEstimator {
 public:
  std::uint64_t max_size(const cel::DocumentShape&) const override {
    return rules::kMaxRequestBytes;
  }
};

value::Document copy_of(const value::Document& document) {
  value::Document out;
  out.root() = value::deep_copy(document.root(), out.arena());
  return out;
}

const value::Value* step_into(const value::Value& v, const FieldPath::Step& step) {
  if (step.kind != FieldPath::Kind::kIndex) return v.find(step.name);
  return v.is_array() && step.index < v.items().size() ? &v.items()[step.index] : nullptr;
}

// Members that the server gives to every object before it is judged, where a file has none.
void complete_metadata(value::Value& object, const value::Value* old, bool namespaced,
                       bool needs_name, Arena& arena) {
  value::Value* metadata = object.find("metadata");
  if (metadata == nullptr) metadata = &object.set("metadata", value::Value::object({}), arena);
  if (!metadata->is_object()) return;
  const auto give = [&](std::string_view key, value::Value v) {
    if (metadata->find(key) == nullptr) metadata->set(key, v, arena);
  };
  if (namespaced) give("namespace", value::Value::string("default"));
  if (needs_name) give("name", value::Value::string("unnamed"));
  if (old == nullptr) return;
  give("resourceVersion", value::Value::string("1"));
  const value::Value* before = old->find("metadata");
  for (const std::string_view key : {"uid", "creationTimestamp", "generation"}) {
    if (before == nullptr) break;
    if (const value::Value* kept = before->find(key)) give(key, *kept);
  }
}

}  // namespace

Result<std::vector<value::Document>> CelSession::read_all(const std::string& file) const {
  STRAKE_TRY(const std::string text, read_input(file, kMaxInputBytes, io_));
  STRAKE_TRY(const Documents documents, read_documents(text, file, {}));
  std::vector<value::Document> out;
  out.reserve(documents.items.size());
  for (const value::Document& one : documents.items) out.push_back(copy_of(one));
  return out;
}

Result<value::Document> CelSession::read_one(const std::string& file) const {
  STRAKE_TRY(std::vector<value::Document> documents, read_all(file));
  if (documents.size() != 1) {
    return std::unexpected(
        Error(Code::kInvalid, fmt::format("must hold one document, got {}", documents.size()))
            .in(file));
  }
  return std::move(documents.front());
}

Result<> CelSession::load_self(const std::string& file) {
  STRAKE_TRY(value::Document document, read_one(file));
  selves_.clear();
  selves_.push_back(std::move(document));
  use_self(0);
  return {};
}

Result<> CelSession::load_selves(const std::string& file) {
  STRAKE_TRY(std::vector<value::Document> documents, read_all(file));
  if (documents.empty()) {
    return std::unexpected(Error(Code::kInvalid, "holds no document").in(file));
  }
  selves_ = std::move(documents);
  use_self(0);
  return {};
}

std::string CelSession::self_label(std::size_t index) const {
  const value::Value& root = selves_[index].root();
  const value::Value* metadata = root.find("metadata");
  const std::string_view kind = text_of(root, "kind");
  const std::string_view name =
      metadata != nullptr ? text_of(*metadata, "name") : std::string_view();
  if (kind.empty() || name.empty()) return fmt::format("document {}", index + 1);
  return fmt::format("{}/{}", kind, name);
}

void CelSession::use_self(std::size_t index) {
  self_ = copy_of(selves_[index]);
  ready_ = false;
}

Result<> CelSession::load_old(const std::string& file) {
  STRAKE_TRY(old_, read_one(file));
  ready_ = false;
  return {};
}

Result<> CelSession::load_schema(const std::string& file, std::string_view version) {
  STRAKE_TRY(value::Document document, read_one(file));
  if (text_of(document.root(), "kind") == "CustomResourceDefinition") {
    auto crd = crd::Crd::read(std::move(document));
    if (!crd) return std::unexpected(std::move(crd).error().in(file));
    if (!version.empty() && crd->version(version) == nullptr) {
      return std::unexpected(
          Error(Code::kInvalid, fmt::format("the CRD has no version \"{}\"", version)).in(file));
    }
    crd_ = *std::move(crd);
    bare_ = nullptr;
  } else {
    if (!version.empty()) {
      return std::unexpected(
          Error(Code::kUsage, "--version needs a CRD, and this is a schema without one").in(file));
    }
    const value::Value* inner = document.root().find("openAPIV3Schema");
    auto compiled = schema::compile(inner != nullptr ? *inner : document.root());
    if (!compiled) return std::unexpected(std::move(compiled).error().in(file));
    bare_ = *std::move(compiled);
    crd_.reset();
  }
  version_ = version;
  ready_ = false;
  return {};
}

Result<> CelSession::choose(std::string_view path) {
  FieldPath parsed;
  if (!FieldPath::parse_dotted(path, parsed)) {
    return fail(Code::kUsage, "not a path: \"{}\" (wanted the form .spec.items[0])", path);
  }
  path_ = std::move(parsed);
  return {};
}

Result<resource::Kind> CelSession::kind() const {
  resource::Kind out;
  const value::Value nothing;
  const value::Value& self = self_ ? self_->root() : nothing;
  const auto own =
      meta::from_api_version_and_kind(text_of(self, "apiVersion"), text_of(self, "kind"));
  if (!crd_) {
    out.gvk = own;
    out.schema = bare_;
    const value::Value* metadata = self.find("metadata");
    out.namespaced = metadata != nullptr && metadata->find("namespace") != nullptr;
    return out;
  }
  const crd::Version* version = crd_->version(version_.empty() ? own.version : version_);
  if (version == nullptr) version = crd_->storage_version();
  if (version == nullptr && !crd_->versions().empty()) version = &crd_->versions().front();
  if (version == nullptr) return fail(Code::kInvalid, "the CRD has no versions");
  STRAKE_TRY(out.schema, version->compiled());
  if (out.schema == nullptr) {
    return fail(Code::kInvalid, "version \"{}\" of the CRD has no schema", version->name());
  }
  out.gvk = {std::string(crd_->group()), std::string(version->name()),
             std::string(crd_->names().kind)};
  out.namespaced = crd_->namespaced();
  out.preserve_unknown = crd_->preserve_unknown_fields();
  return out;
}

Result<> CelSession::prepare() {
  if (ready_) return {};
  shapes_ = std::make_unique<rules::Shapes>();
  schema_ = nullptr;
  settled_self_.reset();
  settled_old_.reset();
  const auto settled = [](const std::optional<value::Document>& document,
                          const resource::Kind& kind) -> Result<std::optional<value::Document>> {
    if (!document) return std::nullopt;
    value::Document out = copy_of(*document);
    if (kind.schema != nullptr && out.root().is_object()) {
      STRAKE_CHECK(resource::settle(out.root(), kind, out.arena(), nullptr));
    }
    return out;
  };
  resource::Kind use;
  if (crd_ || bare_ != nullptr) {
    STRAKE_TRY(use, kind());
  }
  STRAKE_TRY(settled_self_, settled(self_, use));
  STRAKE_TRY(settled_old_, settled(old_, use));
  schema_ = use.schema;
  ready_ = true;
  return {};
}

Result<CelSession::Place> CelSession::find_place() {
  STRAKE_CHECK(prepare());
  Place out;
  out.self = settled_self_ ? &settled_self_->root() : nullptr;
  out.old = settled_old_ ? &settled_old_->root() : nullptr;
  const schema::Node* node = schema_.get();
  std::optional<std::uint64_t> occurrences = 1;
  FieldPath walked;
  for (const FieldPath::Step& step : path_.steps()) {
    const bool index = step.kind == FieldPath::Kind::kIndex;
    if (index) {
      walked.push_index(step.index);
    } else {
      walked.push_field(step.name);
    }
    if (out.self != nullptr) {
      out.self = step_into(*out.self, step);
      if (out.self == nullptr) return fail(Code::kInvalid, walked, "self has nothing there");
    }
    if (out.old != nullptr) out.old = step_into(*out.old, step);
    if (node == nullptr) continue;
    const auto children = rules::max_children(*node);
    if (occurrences && children) {
      occurrences = cel::saturating_multiply(*occurrences, *children);
    } else {
      occurrences = std::nullopt;
    }
    node = index ? node->items.get() : node->member(step.name);
    if (node == nullptr) return fail(Code::kInvalid, walked, "the schema has nothing there");
  }
  if (node == nullptr) return out;
  out.shape = shapes_->find(*node, path_.empty() || node->embedded_resource);
  if (out.shape == nullptr) {
    return fail(Code::kInvalid, path_, "expressions cannot see data that the schema gives no type");
  }
  out.occurrences = occurrences.value_or(rules::kMaxRequestBytes / (out.shape->min_json + 1));
  return out;
}

Result<CelCompiled> CelSession::compile(std::string_view text) {
  STRAKE_TRY(const Place place, find_place());
  const cel::Environment& environment = rules::new_rule_environment();
  CelExpression out;
  cel::TypeFactory make(*out.types);
  const cel::Type* type =
      place.shape != nullptr ? cel::type_at(*place.shape, "selfType", make) : &cel::types::dyn;
  std::vector<cel::Variable> declared;
  const auto declare = [&](std::string_view name, const value::Value* node) {
    declared.push_back({name, type});
    out.variables.push_back(
        node != nullptr ? cel::Value::from_node(*node, place.shape, arena_)
                        : cel::Value::error(fmt::format("no such attribute(s): {}", name), arena_));
  };
  if (place.self != nullptr || place.shape != nullptr) {
    declare(kSelf, place.self);
    if (place.old != nullptr || place.shape != nullptr) declare(kOldSelf, place.old);
  } else if (place.old != nullptr) {
    return fail(Code::kUsage, "an old document needs a new one: self is missing");
  }

  auto ast = cel::parse(text, environment);
  if (!ast) return CelCompiled(std::unexpected(ast.error().to_string()));
  const cel::Scope scope{.environment = &environment, .variables = declared};
  if (auto checked = cel::check(*ast, scope); !checked) {
    return CelCompiled(std::unexpected(checked.error().to_string(ast->source)));
  }
  if (const cel::Issues issues = rules::check_literals(*ast); !issues.empty()) {
    return CelCompiled(std::unexpected(issues.to_string(ast->source)));
  }
  if (auto fault = rules::find_pattern_fault(*ast)) {
    return CelCompiled(std::unexpected(*std::move(fault)));
  }
  out.program = cel::plan(*ast, scope, {.cost_of = cel::kubernetes_call_cost});
  out.observable =
      cel::plan(*ast, scope, {.cost_of = cel::kubernetes_call_cost, .observable = true});
  const RequestSized unknown_size;
  const cel::DocumentShape& root = place.shape != nullptr ? *place.shape : cel::kDynShape;
  const cel::SizeEstimator& sizes =
      place.shape != nullptr ? static_cast<const cel::SizeEstimator&>(*shapes_) : unknown_size;
  out.estimate = cel::estimate_cost(*ast, root, sizes);
  out.occurrences = place.occurrences;
  out.ast = *std::move(ast);
  if (place.self == nullptr && mentions_variable(out.ast, kSelf)) {
    out.missing = kSelf;
  } else if (place.old == nullptr && mentions_variable(out.ast, kOldSelf)) {
    out.missing = kOldSelf;
  }
  return CelCompiled(std::move(out));
}

CelOutcome CelSession::evaluate(const CelExpression& expression, Arena& arena) const {
  cel::CostTracker cost{.limit = rules::kCallCostLimit};
  CelOutcome out;
  out.value =
      expression.program.evaluate({.variables = expression.variables, .cost = &cost}, arena);
  out.cost = cost.total;
  return out;
}

Result<resource::Verdict> CelSession::judge() {
  if (!self_) return fail(Code::kUsage, "--rules needs the object: --self FILE");
  if (!crd_ && bare_ == nullptr) return fail(Code::kUsage, "--rules needs --schema FILE");
  STRAKE_CHECK(prepare());
  STRAKE_TRY(const resource::Kind use, kind());
  if (!settled_self_->root().is_object() || (settled_old_ && !settled_old_->root().is_object())) {
    return fail(Code::kInvalid, "the rules of a schema run over objects");
  }
  value::Document self = copy_of(*settled_self_);
  const rules::Engine engine;
  if (!settled_old_) {
    complete_metadata(self.root(), nullptr, use.namespaced, !crd_, self.arena());
    return resource::validate_create(self.root(), use, &engine);
  }
  value::Document old = copy_of(*settled_old_);
  complete_metadata(old.root(), &old.root(), use.namespaced, !crd_, old.arena());
  complete_metadata(self.root(), &old.root(), use.namespaced, !crd_, self.arena());
  return resource::validate_update(self.root(), old.root(), use, &engine);
}

}  // namespace strake::cli
