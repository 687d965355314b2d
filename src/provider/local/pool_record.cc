#include "provider/local/pool_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::provider::local {
namespace {

using value::text_of;
using value::Value;
using Texts = std::map<std::string, std::string, std::less<>>;

// Builds objects; texts are copied.
class Builder {
 public:
  Builder() { out_.root() = Value::object({}); }

  Value text(std::string_view text) { return Value::string(out_.arena().copy(text)); }
  Value texts(const Texts& all) {
    Value out = Value::object({});
    for (const auto& [key, one] : all) set(out, key, text(one));
    return out;
  }
  void set(Value& object, std::string_view key, Value value) {
    object.set(out_.arena().copy(key), value, out_.arena());
  }
  void append(Value& list, Value item) { list.append(item, out_.arena()); }
  Value& root() { return out_.root(); }
  value::Document take() { return std::move(out_); }

 private:
  value::Document out_;
};

Value option_value(Builder& builder, const OptionValue& option) {
  if (const auto* flag = std::get_if<bool>(&option)) return Value::boolean(*flag);
  if (const auto* whole = std::get_if<std::int64_t>(&option)) return Value::integer(*whole);
  if (const auto* real = std::get_if<double>(&option)) return Value::number(*real);
  return builder.text(std::get<std::string>(option));
}

std::optional<OptionValue> read_option(const Value& from) {
  if (from.is_bool()) return from.as_bool();
  if (from.is_string()) return std::string(from.as_string());
  if (from.type() == value::Type::kInt) return from.as_int();
  if (from.is_number()) return from.as_double();
  return std::nullopt;
}

std::optional<std::string> read_text(const Value& object, std::string_view key) {
  const Value& found = object.get(key);
  if (!found.is_string()) return std::nullopt;
  return std::string(found.as_string());
}

std::optional<std::int64_t> read_number(const Value& object, std::string_view key) {
  const Value& found = object.get(key);
  if (found.type() != value::Type::kInt) return std::nullopt;
  return found.as_int();
}

Texts annotations_of(const Tags& tags) { return {tags.begin(), tags.end()}; }

Value metadata(Builder& builder, std::string_view name, const Texts& labels, const Tags& tags) {
  Value out = Value::object({});
  builder.set(out, "name", builder.text(name));
  builder.set(out, "labels", builder.texts(labels));
  builder.set(out, "annotations", builder.texts(annotations_of(tags)));
  return out;
}

}  // namespace

std::string pool_object_name(std::string_view pool) {
  return fmt::format("strake-node-pool-{}", pool);
}

std::string node_name(std::string_view pool, std::int64_t index) {
  return fmt::format("{}-{}", pool, index);
}

std::int64_t wanted_nodes(const NodePool& pool) {
  if (!pool.autoscaling) return 1;
  const Autoscaling& scaling = *pool.autoscaling;
  const std::int64_t desired = scaling.desired.value_or(scaling.min);
  const std::int64_t within =
      scaling.enabled ? std::clamp(desired, scaling.min, std::max(scaling.min, scaling.max))
                      : desired;
  return std::max<std::int64_t>(0, within);
}

std::string to_json(const NodePool& pool) {
  Builder builder;
  Value& root = builder.root();
  const auto set_text = [&](std::string_view key, const std::optional<std::string>& text) {
    if (text) builder.set(root, key, builder.text(*text));
  };
  set_text("name", pool.name);
  set_text("providerName", pool.provider_name);
  set_text("mode", pool.mode);
  set_text("instanceType", pool.instance_type);
  set_text("osDiskType", pool.os_disk_type);
  set_text("priority", pool.priority);
  if (pool.os_disk_size_gib)
    builder.set(root, "osDiskSizeGiB", Value::integer(*pool.os_disk_size_gib));
  if (pool.labels) builder.set(root, "labels", builder.texts(*pool.labels));
  if (pool.zones) {
    Value zones = Value::array({});
    for (const std::string& one : *pool.zones) builder.append(zones, builder.text(one));
    builder.set(root, "zones", zones);
  }
  if (pool.autoscaling) {
    Value scaling = Value::object({});
    builder.set(scaling, "enabled", Value::boolean(pool.autoscaling->enabled));
    builder.set(scaling, "min", Value::integer(pool.autoscaling->min));
    builder.set(scaling, "max", Value::integer(pool.autoscaling->max));
    if (pool.autoscaling->desired)
      builder.set(scaling, "desired", Value::integer(*pool.autoscaling->desired));
    builder.set(root, "autoscaling", scaling);
  }
  if (!pool.extensions.empty()) {
    Value extensions = Value::object({});
    for (const auto& [key, one] : pool.extensions)
      builder.set(extensions, key, option_value(builder, one));
    builder.set(root, "extensions", extensions);
  }
  return value::to_json(root);
}

Outcome<NodePool> read_pool(std::string_view text) {
  const auto document = value::read_json(text);
  if (!document || !document->root().is_object())
    return refuse(FailureClass::kInternal, "must be a node pool as JSON");
  const Value& root = document->root();
  NodePool out;
  out.name = read_text(root, "name");
  out.provider_name = read_text(root, "providerName");
  out.mode = read_text(root, "mode");
  out.instance_type = read_text(root, "instanceType");
  out.os_disk_type = read_text(root, "osDiskType");
  out.priority = read_text(root, "priority");
  out.os_disk_size_gib = read_number(root, "osDiskSizeGiB");
  if (!out.name) return refuse(FailureClass::kInternal, "must be a node pool with a name");
  if (const Value& labels = root.get("labels"); labels.is_object()) {
    out.labels.emplace();
    for (const value::Member& one : labels.members())
      out.labels->emplace(one.key, value::text_of(one.value));
  }
  if (const Value& zones = root.get("zones"); zones.is_array()) {
    out.zones.emplace();
    for (const Value& one : zones.items()) out.zones->emplace_back(value::text_of(one));
  }
  if (const Value& scaling = root.get("autoscaling"); scaling.is_object()) {
    out.autoscaling = Autoscaling{.enabled = value::flag_of(scaling, "enabled"),
                                  .min = read_number(scaling, "min").value_or(0),
                                  .max = read_number(scaling, "max").value_or(0),
                                  .desired = read_number(scaling, "desired")};
  }
  for (const value::Member& one : root.get("extensions").members()) {
    if (auto option = read_option(one.value)) out.extensions.emplace(one.key, *std::move(option));
  }
  return out;
}

value::Document pool_object(const NodePool& pool, const Tags& tags) {
  Builder builder;
  const std::string& name = *pool.name;
  Value about = metadata(builder, pool_object_name(name), {{std::string(kPoolLabel), name}}, tags);
  builder.set(about, "namespace", builder.text(kPoolNamespace));
  builder.set(builder.root(), "apiVersion", builder.text("v1"));
  builder.set(builder.root(), "kind", builder.text("ConfigMap"));
  builder.set(builder.root(), "metadata", about);
  builder.set(builder.root(), "data", builder.texts({{"pool.json", to_json(pool)}}));
  return builder.take();
}

value::Document node_object(const NodePool& pool, std::int64_t index, const Tags& tags) {
  Builder builder;
  const std::string& name = *pool.name;
  Texts labels = pool.labels.value_or(Texts());
  labels.insert_or_assign(std::string(kPoolLabel), name);
  labels.try_emplace(std::string(kNodePoolLabel), name);
  // The pool's own label names its first zone; its nodes are spread over all of them.
  if (pool.zones && !pool.zones->empty()) {
    const std::string& zone = (*pool.zones)[static_cast<std::size_t>(index) % pool.zones->size()];
    const auto found = labels.find(kNodeZoneLabel);
    if (found == labels.end() || found->second == pool.zones->front())
      labels.insert_or_assign(std::string(kNodeZoneLabel), zone);
  }
  labels.try_emplace("kubernetes.io/hostname", node_name(name, index));
  builder.set(builder.root(), "apiVersion", builder.text("v1"));
  builder.set(builder.root(), "kind", builder.text("Node"));
  builder.set(builder.root(), "metadata", metadata(builder, node_name(name, index), labels, tags));
  return builder.take();
}

}  // namespace strake::provider::local
