#include "api/verbs/scale.h"

#include <fmt/format.h>

#include <limits>

#include "api/verbs/decode.h"
#include "api/verbs/judge.h"
#include "api/verbs/patches.h"
#include "api/verbs/ready.h"
#include "api/verbs/respond.h"
#include "api/verbs/settle_meta.h"
#include "api/verbs/write.h"
#include "base/rfc3339.h"
#include "kinds/protobuf.h"
#include "meta/age.h"
#include "meta/object_meta.h"
#include "patch/apply.h"
#include "patch/scale_fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using value::Document;
using value::Value;

Answer<resource::ScalePaths> paths_of(const Call& call) {
  STRAKE_TRY(const resource::Kind* kind, answer(call.version->kind()));
  return kind->scale.value_or(resource::ScalePaths());
}

// Owners of the replicas are told by version.
Answer<std::vector<patch::ReplicasPath>> replicas_paths(const Call& call,
                                                        std::vector<std::string>& names) {
  std::vector<patch::ReplicasPath> out;
  names.reserve(call.resource().versions.size());
  for (const kinds::ServedVersion& version : call.resource().versions) {
    STRAKE_TRY(const resource::Kind* kind, answer(version.kind()));
    names.push_back(meta::GroupVersion{call.resource().group, version.name}.to_string());
    out.push_back(
        {.api_version = names.back(),
         .path = kind->scale ? std::string_view(kind->scale->spec_replicas) : std::string_view()});
  }
  return out;
}

const Value* follow(const Document& document, std::string_view path) {
  FieldPath at;
  if (path.empty() || !FieldPath::parse_dotted(path, at)) return nullptr;
  return document.at(at);
}

// As kube-apiserver 1.36: a read of an object without the number is refused, a write is not. It may
// set the number, and the version may have no such field. What a write begins with has a number
// that nobody wants instead, which tells who has set none.
enum class Unset : std::uint8_t { kRefused, kLeftOut, kMarked };
constexpr std::int64_t kUnsetReplicas = std::numeric_limits<std::int32_t>::min();

Answer<Document> scale_of(const Call& call, const Document& object, Unset unset) {
  STRAKE_TRY(const resource::ScalePaths paths, paths_of(call));
  const Value* desired = follow(object, paths.spec_replicas);
  const bool is_set = desired != nullptr && desired->type() == value::Type::kInt;
  if (!is_set && unset == Unset::kRefused) {
    return refuse(Status::internal_error(
        fmt::format("the spec replicas field \"{}\" does not exist", paths.spec_replicas)));
  }
  Document out;
  Arena& arena = out.arena();
  const ObjectMeta from = ObjectMeta::of(object.root());
  Value metadata = Value::object({});
  const auto add = [&](Value& to, std::string_view key, std::string_view text) {
    if (!text.empty()) to.set(key, Value::string(arena.copy(text)), arena);
  };
  add(metadata, "name", from.name());
  add(metadata, "namespace", from.namespace_name());
  add(metadata, "uid", from.uid());
  add(metadata, "resourceVersion", from.resource_version());
  add(metadata, "creationTimestamp", from.creation_timestamp());
  Value spec = Value::object({});
  // Zero is left out, as Go's omitempty does.
  if (is_set && desired->as_int() != 0) spec.set("replicas", *desired, arena);
  if (!is_set && unset == Unset::kMarked)
    spec.set("replicas", Value::integer(kUnsetReplicas), arena);
  Value status = Value::object({});
  const Value* present = follow(object, paths.status_replicas);
  const bool counted = present != nullptr && present->type() == value::Type::kInt;
  status.set("replicas", counted ? *present : Value::integer(0), arena);
  if (const Value* selector = follow(object, paths.label_selector);
      selector != nullptr && selector->is_string()) {
    add(status, "selector", selector->as_string());
  } else {
    add(status, "selector", call.strategy().scale_selector(object.root()));
  }
  out.root() = Value::object({});
  out.root().set("kind", Value::string("Scale"), arena);
  out.root().set("apiVersion", Value::string(patch::kScaleVersion), arena);
  out.root().set("metadata", metadata, arena);
  out.root().set("spec", spec, arena);
  out.root().set("status", status, arena);
  return out;
}

// The object with the replicas and the owners of a changed Scale.
Answer<Document> rescaled(const Call& call, const Value& current, const Document& scale) {
  STRAKE_TRY(const resource::ScalePaths paths, paths_of(call));
  const Value* spec = scale.root().find("spec");
  const Value* given = spec != nullptr && spec->is_object() ? spec->find("replicas") : nullptr;
  const Value replicas = given != nullptr ? *given : Value::integer(0);
  if (replicas.as_int() == kUnsetReplicas) {
    return refuse(Status::bad_request(
        fmt::format("the spec replicas field \"{}\" cannot be empty", paths.spec_replicas)));
  }
  Document out;
  out.root() = value::deep_copy(current, out.arena());
  FieldPath at;
  FieldPath::parse_dotted(paths.spec_replicas, at);
  STRAKE_CHECK(answer(out.set(at, replicas)));
  std::vector<std::string> names;
  STRAKE_TRY(const auto owners, replicas_paths(call, names));
  STRAKE_TRY(const Value entries,
             answer(patch::entries_from_scale(current, scale.root(), call.api_version(), owners,
                                              out.arena())));
  // Metadata in canonical form has no empty lists.
  if (entries.size() > 0) {
    set_meta(out, "managedFields", value::deep_copy(entries, out.arena()));
  } else {
    remove_meta(out, "managedFields");
  }
  const std::string_view version = ObjectMeta::of(scale.root()).resource_version();
  if (!version.empty()) set_meta(out, "resourceVersion", Value::string(out.arena().copy(version)));
  return out;
}

// The Scale of the present object, with its owners.
Answer<Document> current_scale(const Call& call, const Value& current, Unset unset) {
  Document object;
  object.root() = value::deep_copy(current, object.arena());
  STRAKE_TRY(Document scale, scale_of(call, object, unset));
  std::vector<std::string> names;
  STRAKE_TRY(const auto owners, replicas_paths(call, names));
  STRAKE_TRY(const Value entries, answer(patch::entries_for_scale(current, owners, scale.arena())));
  if (entries.is_array() && entries.size() > 0) set_meta(scale, "managedFields", entries);
  return scale;
}

patch::WriteContext write_context(const std::string& manager, const std::string& now) {
  return {.manager = manager,
          .api_version = patch::kScaleVersion,
          .subresource = "scale",
          .time = now,
          .reset = {}};
}

Answer<> check_scale(const Call& call, const Document& scale) {
  const auto text = [&](std::string_view key) {
    const Value* v = scale.root().find(key);
    return v != nullptr && v->is_string() ? v->as_string() : std::string_view();
  };
  if (text("apiVersion") != patch::kScaleVersion || text("kind") != "Scale") {
    return refuse(Status::bad_request(
        fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                    text("apiVersion"), patch::kScaleVersion)));
  }
  return check_name_on_update(call, scale);
}

// kube-apiserver 1.36 judges the Scale of its own kinds; that of custom resources is judged as the
// object that it becomes.
Answer<> validate_scale(const Call& call, const Document& scale) {
  if (!call.strategy().wire().typed) return {};
  const Value& replicas = scale.root().get("spec").get("replicas");
  if (replicas.type() != value::Type::kInt || replicas.as_int() >= 0) return {};
  // Nobody has set it.
  if (replicas.as_int() == kUnsetReplicas) return {};
  return refuse(
      Status::invalid({"autoscaling", "Scale"}, ObjectMeta::of(scale.root()).name(),
                      {value::FieldError::invalid(FieldPath() / "spec" / "replicas", replicas,
                                                  "must be greater than or equal to 0")}));
}

// What was sent or patched, as a Go struct holds it: a number, and none for zero.
Answer<> settle_replicas(Document& scale) {
  Value* spec = scale.root().find("spec");
  Value* replicas = spec != nullptr && spec->is_object() ? spec->find("replicas") : nullptr;
  if (replicas == nullptr) return {};
  if (replicas->is_null() || (replicas->type() == value::Type::kInt && replicas->as_int() == 0)) {
    spec->remove("replicas");
    return {};
  }
  if (replicas->type() == value::Type::kInt) return {};
  return refuse(Status::bad_request(fmt::format(
      "json: cannot unmarshal {} into Go struct field ScaleSpec.spec.replicas of type int32",
      replicas->is_number() ? "number" : value::to_string(replicas->type()))));
}

Answer<Document> read_scale(const Call& call) {
  if (media_type(call.request.headers.get("Content-Type")) == kinds::kProtobufType)
    return read_protobuf(call);
  // YAML is read for both: JSON is YAML.
  auto sent = value::read_yaml(call.request.body, value::ReadOptions::as_api_server());
  if (sent && sent->root().is_object()) return *std::move(sent);
  return refuse(Status::bad_request(fmt::format(
      "the object provided is unrecognized (must be of type Scale): {} ({})",
      sent ? "expected an object" : sent.error().message(), summarize_body(call.request.body))));
}

Answer<http::Response> scale_response(Call& call, std::string_view object_bytes, Unset unset) {
  STRAKE_TRY(const Document object, parse_current(object_bytes));
  STRAKE_TRY(const Document scale, scale_of(call, object, unset));
  if (call.wanted.form != Form::kTable) {
    call.wanted.form = Form::kObject;
    return object_response(call, 200,
                           std::make_shared<const std::string>(value::to_json(scale.root())));
  }
  const auto created = parse_rfc3339(ObjectMeta::of(scale.root()).creation_timestamp());
  const std::string age = created ? meta::human_age(call.now - created->to_wall()) : "<unknown>";
  const std::string table = fmt::format(
      R"({{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{{"resourceVersion":"{}"}},"columnDefinitions":[)"
      R"({{"name":"Name","type":"string","format":"name","description":"Name of the object.","priority":0}},)"
      R"({{"name":"Desired","type":"integer","format":"","description":"Number of instances that are wanted.","priority":0}},)"
      R"({{"name":"Available","type":"integer","format":"","description":"Number of instances that are there.","priority":0}},)"
      R"({{"name":"Age","type":"string","format":"","description":"Time since the object was made.","priority":0}}],)"
      R"("rows":[{{"cells":["{}",{},{},"{}"],"object":{}}}]}})",
      ObjectMeta::of(scale.root()).resource_version(), ObjectMeta::of(scale.root()).name(),
      scale.root().get("spec").get("replicas").is_null()
          ? std::string("0")
          : value::to_json(scale.root().get("spec").get("replicas")),
      value::to_json(scale.root().get("status").get("replicas")), age, [&] {
        std::string partial;
        publish::partial_object_metadata(partial, scale.root());
        return partial;
      }());
  call.wanted.form = Form::kObject;
  return object_response(call, 200, std::make_shared<const std::string>(table));
}

AnswerTask<http::Response> write_scale(
    Core& core, Call& call, WriteOptions options, bool retry,
    std::function<Answer<Document>(const Document& scale)> change) {
  UpdatePlan plan;
  plan.name = call.info.name;
  plan.retry_conflicts = retry;
  plan.is_patch = true;
  options.fields_settled = true;
  plan.options = std::move(options);
  auto before = std::make_shared<Document>();
  plan.make = [&call, before,
               change = std::move(change)](const Value& current) -> Answer<Document> {
    STRAKE_TRY(*before, current_scale(call, current, Unset::kLeftOut));
    STRAKE_TRY(const Document base, current_scale(call, current, Unset::kMarked));
    STRAKE_TRY(Document after, change(base));
    STRAKE_CHECK(check_scale(call, after));
    STRAKE_CHECK(validate_scale(call, after));
    return after;
  };
  plan.own_kind = {
      .subresource = "scale",
      .before = [before] { return &before->root(); },
      .view = [&call](const Document& object) { return scale_of(call, object, Unset::kLeftOut); },
      .settle = [&call](const Value& current,
                        const Document& scale) { return rescaled(call, current, scale); }};
  STRAKE_CO_TRY(WriteOutcome outcome, co_await update_object(core, call, std::move(plan)));
  co_return scale_response(call, *outcome.bytes, Unset::kLeftOut);
}

void own_scale(Document& scale, const Document& before, const std::string& manager,
               const std::string& now) {
  patch::update_managed_fields(scale.root(), &before.root(), patch::scale_schema(),
                               write_context(manager, now), scale.arena());
}

}  // namespace

AnswerTask<http::Response> get_scale(Core& core, Call& call) {
  const ObjectPtr object =
      call.endpoint->cache().get(call.endpoint->key(call.info.namespace_name, call.info.name));
  if (!object) co_return refuse(Status::not_found(call.group_resource(), call.info.name));
  STRAKE_CO_TRY(Bytes bytes, call.endpoint->render(*object, *call.version));
  if (!bytes) {
    STRAKE_CO_TRY(bytes, co_await render_later(core, call, object, *call.version));
  }
  co_return scale_response(call, *bytes, Unset::kRefused);
}

AnswerTask<http::Response> update_scale(Core& core, Call& call) {
  STRAKE_CO_TRY(WriteOptions options, read_write_options(call.query, "UpdateOptions"));
  if (call.request.body_too_large) co_return refuse(Status::request_too_large("limit is 3145728"));
  const std::string manager = manager_of(call, options);
  co_return co_await write_scale(core, call, std::move(options), true,
                                 [&call, manager](const Document& before) -> Answer<Document> {
                                   STRAKE_TRY(Document sent, read_scale(call));
                                   STRAKE_CHECK(settle_replicas(sent));
                                   own_scale(sent, before, manager, call.now_text());
                                   return sent;
                                 });
}

AnswerTask<http::Response> patch_scale(Core& core, Call& call) {
  const auto type = patch_type_of(call);
  if (!type || *type == PatchType::kStrategic) {
    co_return refuse(Status::unsupported_media_type(kPatchesOfCustom));
  }
  STRAKE_CO_TRY(WriteOptions options,
                read_write_options(call.query, "PatchOptions", *type == PatchType::kApply));
  if (call.request.body_too_large) co_return refuse(Status::request_too_large("limit is 3145728"));
  const std::string manager = manager_of(call, options);
  const bool force = options.force.value_or(false);
  co_return co_await write_scale(
      core, call, std::move(options), true,
      [&call, manager, force, type = *type](const Document& before) -> Answer<Document> {
        Document out;
        if (type == PatchType::kApply) {
          auto config = value::read_yaml(call.request.body, value::ReadOptions::as_api_server());
          if (!config) {
            return refuse(Status::bad_request("error decoding YAML: " + config.error().message()));
          }
          const std::string now = call.now_text();
          STRAKE_TRY(
              const patch::Applied applied,
              patch::apply(&before.root(), config->root(), patch::scale_schema(),
                           {.write = write_context(manager, now), .kind = "Scale", .force = force},
                           out.arena()));
          out.root() = value::deep_copy(applied.object, out.arena());
          STRAKE_CHECK(settle_replicas(out));
          return out;
        }
        STRAKE_TRY(const Document patch, read_patch(call, type));
        STRAKE_TRY(const Value patched,
                   apply_patch(call, type, before.root(), patch.root(), out.arena()));
        out.root() = value::deep_copy(patched, out.arena());
        STRAKE_CHECK(settle_replicas(out));
        own_scale(out, before, manager, call.now_text());
        return out;
      });
}

}  // namespace strake::api
