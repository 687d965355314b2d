#include "cli/operate/operate_documents.h"

#include <algorithm>

#include "base/quote.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::cli {
namespace {

using provider::FailureClass;
using provider::Outcome;
using value::Type;
using value::Value;

constexpr value::Limits kPoolFileLimits{
    .depth = 20, .bytes = std::uint64_t{1} << 20, .nodes = 20'000, .alias_nodes = 1'000};

// Reads members of one object, and remembers the first that is not as it should be.
class PoolFields {
 public:
  PoolFields(const Value& object, std::string path) : object_(object), path_(std::move(path)) {
    if (!object.is_object()) wrong("", "must be an object", object);
  }

  void text(std::string_view name, std::optional<std::string>& out) {
    if (const Value* found = take(name)) {
      if (!found->is_string()) return wrong(name, "must be a text", *found);
      out = found->as_string();
    }
  }
  void whole(std::string_view name, std::optional<std::int64_t>& out) {
    if (const Value* found = take(name)) {
      if (found->type() != Type::kInt) return wrong(name, "must be a whole number", *found);
      out = found->as_int();
    }
  }
  void whole(std::string_view name, std::int64_t& out) {
    std::optional<std::int64_t> found;
    whole(name, found);
    out = found.value_or(out);
  }
  void flag(std::string_view name, bool& out) {
    if (const Value* found = take(name)) {
      if (!found->is_bool()) return wrong(name, "must be true or false", *found);
      out = found->as_bool();
    }
  }
  void texts(std::string_view name, std::optional<std::vector<std::string>>& out) {
    const Value* found = take(name);
    if (found == nullptr) return;
    if (!found->is_array()) return wrong(name, "must be a list of texts", *found);
    out.emplace();
    for (const Value& one : found->items()) {
      if (!one.is_string()) return wrong(name, "must be a list of texts", one);
      out->emplace_back(one.as_string());
    }
  }
  template <typename Map>
  void map(std::string_view name, Map& out) {
    const Value* found = take(name);
    if (found == nullptr) return;
    if (!found->is_object()) return wrong(name, "must be an object of texts", *found);
    out.emplace();
    for (const auto& [key, one] : found->members()) {
      if (!one.is_string()) return wrong(name, "must be an object of texts", one);
      out->emplace(key, one.as_string());
    }
  }
  void options(std::string_view name, provider::OptionMap& out) {
    const Value* found = take(name);
    if (found == nullptr) return;
    if (!found->is_object()) return wrong(name, "must be an object", *found);
    for (const auto& [key, one] : found->members()) {
      if (one.is_bool()) {
        out.emplace(key, one.as_bool());
      } else if (one.type() == Type::kInt) {
        out.emplace(key, one.as_int());
      } else if (one.type() == Type::kDouble) {
        out.emplace(key, one.as_double());
      } else if (one.is_string()) {
        out.emplace(key, std::string(one.as_string()));
      } else {
        return wrong(name, fmt::format("[{}] must be a text, a number or a boolean", quote(key)),
                     one);
      }
    }
  }
  const Value* take(std::string_view name) {
    known_.push_back(name);
    const Value* found = object_.find(name);
    return found != nullptr && !found->is_null() ? found : nullptr;
  }

  // What was wrong; a key that nobody took is as well.
  Outcome<> done() {
    for (const auto& [key, one] : object_.members()) {
      if (std::ranges::find(known_, key) == known_.end())
        wrong("", "unknown field " + quote(key), {});
    }
    if (wrong_.empty()) return {};
    return provider::refuse(FailureClass::kValidation, "{}", wrong_);
  }

 private:
  void wrong(std::string_view name, std::string_view words, const Value& met) {
    if (!wrong_.empty()) return;
    std::string at = path_;
    if (!at.empty() && !name.empty()) at += '.';
    at += name;
    wrong_ = at.empty() ? std::string(words) : fmt::format("{}: {}", at, words);
    if (!met.is_null()) wrong_ += fmt::format(", got {}", to_string(met.type()));
  }

  const Value& object_;
  std::string path_;
  std::vector<std::string_view> known_;
  std::string wrong_;
};

}  // namespace

Outcome<provider::NodePool> read_node_pool(std::string_view text, const std::string& file) {
  value::ReadOptions options;
  options.limits = kPoolFileLimits;
  options.source_name = file;
  // JSON is YAML.
  const auto document = value::read_yaml(text, options);
  if (!document) return std::unexpected(provider::Failure(Error(document.error()).in(file)));
  const Value& root = document->root();
  provider::NodePool out;
  const auto read = [&]() -> Outcome<> {
    PoolFields fields(root, "");
    fields.text("name", out.name);
    fields.text("providerName", out.provider_name);
    fields.text("mode", out.mode);
    fields.map("labels", out.labels);
    fields.texts("zones", out.zones);
    fields.text("instanceType", out.instance_type);
    fields.text("osDiskType", out.os_disk_type);
    fields.whole("osDiskSizeGiB", out.os_disk_size_gib);
    fields.text("priority", out.priority);
    const Value* autoscaling = fields.take("autoscaling");
    fields.take("status");
    fields.options("extensions", out.extensions);
    STRAKE_CHECK(fields.done());
    if (autoscaling == nullptr) return {};
    PoolFields inner(*autoscaling, "autoscaling");
    provider::Autoscaling& to = out.autoscaling.emplace();
    inner.flag("enabled", to.enabled);
    inner.whole("min", to.min);
    inner.whole("max", to.max);
    inner.whole("desired", to.desired);
    return inner.done();
  }();
  if (!read) return std::unexpected(provider::Failure(read.error()).prefixed(file));
  if (!out.name || out.name->empty())
    return provider::refuse(FailureClass::kValidation, "{}: name is required", file);
  return out;
}

void write_node_pool(const provider::NodePool& pool, OrderedJson& out) {
  out.open_object();
  const auto text = [&out](std::string_view name, const std::optional<std::string>& value) {
    if (value) out.text(name, *value);
  };
  text("name", pool.name);
  text("providerName", pool.provider_name);
  text("mode", pool.mode);
  if (pool.labels) out.map("labels", *pool.labels);
  if (pool.zones) out.texts("zones", *pool.zones);
  text("instanceType", pool.instance_type);
  text("osDiskType", pool.os_disk_type);
  if (pool.os_disk_size_gib) out.number("osDiskSizeGiB", *pool.os_disk_size_gib);
  text("priority", pool.priority);
  if (const auto& scaling = pool.autoscaling) {
    out.open_object("autoscaling")
        .flag("enabled", scaling->enabled)
        .number("min", scaling->min)
        .number("max", scaling->max);
    if (scaling->desired) out.number("desired", *scaling->desired);
    out.close();
  }
  if (const auto& status = pool.status) {
    out.open_object("status");
    text("provisioningState", status->provisioning_state);
    if (status->current_node_count) out.number("currentNodeCount", *status->current_node_count);
    if (!status->extensions.empty()) out.options("extensions", status->extensions);
    out.close();
  }
  if (!pool.extensions.empty()) out.options("extensions", pool.extensions);
  out.close();
}

void write_disk(const provider::Disk& disk, OrderedJson& out) {
  out.open_object()
      .text("name", disk.name)
      .text("volumeName", disk.volume_name)
      .flag("assigned", disk.assigned)
      .number("size", disk.size)
      .text("zone", disk.zone)
      .options("options", disk.options)
      .text("handle", disk.handle)
      .time("createdAt", disk.created_at)
      .time("updatedAt", disk.updated_at)
      .close();
}

void write_snapshot(const provider::Snapshot& snapshot, OrderedJson& out) {
  out.open_object()
      .text("name", snapshot.name)
      .text("volumeName", snapshot.volume_name)
      .number("size", snapshot.size)
      .text("handle", snapshot.handle)
      .time("createdAt", snapshot.created_at)
      .time("updatedAt", snapshot.updated_at)
      .close();
}

Outcome<provider::OptionMap> read_options(std::string_view json) {
  provider::OptionMap out;
  if (json.empty()) return out;
  value::ReadOptions options;
  options.limits = kPoolFileLimits;
  const auto document = value::read_json(json, options);
  if (!document)
    return provider::refuse(FailureClass::kValidation, "--options: {}",
                            document.error().to_string());
  // As a member, so that there is one reading of options.
  value::Document whole;
  whole.root() = Value::object({});
  whole.root().set("options", value::deep_copy(document->root(), whole.arena()), whole.arena());
  PoolFields fields(whole.root(), "");
  fields.options("options", out);
  if (const auto done = fields.done(); !done)
    return provider::refuse(FailureClass::kValidation, "--{}", done.error().message());
  return out;
}

}  // namespace strake::cli
