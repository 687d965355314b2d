#include "validate/builtin_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "kinds/builtin_strategy.h"
#include "kinds/ip_fields.h"
#include "kinds/limits/certificate_subject.h"
#include "kinds/resource.h"
#include "kinds/service_ranges.h"
#include "kinds/workloads/workload_resources.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"
#include "validate/classify.h"
#include "validate/filled_in.h"
#include "validate/hints.h"
#include "validate/locate.h"
#include "validate/phrases.h"

namespace strake::validate {
namespace {

using value::FieldError;
using value::Value;

// Some rules compare with the identity that a server gives: any will do.
constexpr std::string_view kUid = "00000000-0000-4000-8000-000000000000";
constexpr std::string_view kNow = "2000-01-01T00:00:00Z";

// Any cluster: which addresses it has is not known, so all that could be given are.
class AnyCluster final : public kinds::ServicePool {
 public:
  std::span<const std::string_view> families() const override {
    static constexpr std::array kBoth = {kinds::kIpv4, kinds::kIpv6};
    return kBoth;
  }
  std::optional<std::string> take_ip(const IpAddress&) override { return std::nullopt; }
  std::optional<std::string> take_port(std::int64_t port) override {
    return ports_.take_port(port);
  }
  std::optional<IpAddress> next_ip(std::string_view family) override {
    return parse_ip_address_sloppily(family == kinds::kIpv4 ? "10.0.0.1" : "fd00::1");
  }
  std::optional<int> next_port() override { return ports_.next_port(); }

 private:
  kinds::ServiceRanges ranges_ = kinds::default_service_ranges();
  kinds::DryRunPool ports_{ranges_, [](std::int64_t) { return false; }};
};

// The kinds about which admission says something that it knows from the object alone. A fault is
// the reason of a 403.
struct OwnAdmission {
  meta::GroupKind kind;
  std::optional<std::string> (*fault)(const Value& object);
};
const OwnAdmission kAdmissions[] = {
    {{"certificates.k8s.io", "CertificateSigningRequest"}, kinds::certificate_subject_fault}};

// "spec.externalIPs: ..." and "spec.externalIPs is deprecated ...", and what begins with an
// annotation.
FieldPath place_of_warning(std::string_view text, const Value& as_sent) {
  constexpr std::string_view kAnnotation = "annotation \"";
  if (text.starts_with(kAnnotation)) {
    const std::string_view rest = text.substr(kAnnotation.size());
    return (FieldPath() / "metadata" / "annotations").key(rest.substr(0, rest.find('"')));
  }
  for (const std::string_view end : {": ", " "}) {
    const std::string_view field = text.substr(0, text.find(end));
    if (field.contains(' ')) continue;
    FieldPath path = find_nearest_path(as_sent, field);
    if (!path.empty()) return path;
  }
  return {};
}

Fault warning_from(const std::string& text, const Value& as_sent) {
  Fault fault{.issue = Issue::kCustom, .severity = Severity::kWarning};
  fault.path = place_of_warning(text, as_sent);
  fault.message = text;
  const std::size_t end = text.find(": ");
  if (end != std::string::npos && !fault.path.empty() && !text.substr(0, end).contains(' ')) {
    fault.field = text.substr(0, end);
    fault.message = text.substr(end + 2);
  }
  return fault;
}

}  // namespace

struct BuiltinRules::Outcome {
  value::FieldErrors errors;
  std::vector<std::string> warnings;
  std::string refused;  // by admission, or a failure of the server; empty when it is not
  std::vector<Fault> notes;
};

BuiltinRules::BuiltinRules(const meta::GroupVersionKind& gvk)
    : resource_(kinds::find_resource(gvk)) {
  // Definitions have a judge of their own.
  if (resource_ != nullptr && resource_->strategy == nullptr) resource_ = nullptr;
  if (resource_ != nullptr) version_ = resource_->version(gvk.version);
}

Result<> BuiltinRules::decode(Value& object, Arena& arena) const {
  return resource_->strategy->decode(object, arena, *version_, {.from_text = false});
}

void BuiltinRules::drop_resets(Value& object) const {
  for (const std::string& name : version_->resets) object.remove(name);
}

bool BuiltinRules::pick_addresses(Value& object, const Value* old, Arena& arena,
                                  Outcome& out) const {
  // Chosen ports come from a range that servers have unless they are told otherwise. A dry run does
  // not look at it; what is to be stored is refused.
  const kinds::ServiceRanges ranges = kinds::default_service_ranges();
  const auto ports = object.get("spec").get("ports").items();
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Value& port = ports[i].get("nodePort");
    if (port.type() != value::Type::kInt || port.as_int() == 0) continue;
    const auto why = ranges.port_refusal(port.as_int());
    if (!why) continue;
    out.notes.push_back({.issue = Issue::kTooBig,
                         .severity = Severity::kWarning,
                         .path = FieldPath() / "spec" / "ports" / i / "nodePort",
                         .field = fmt::format("spec.ports[{}].nodePort", i),
                         .message = fmt::format("Invalid value: {}: {}", port.as_int(), *why),
                         .hint = say(Phrase::kNodePortRange)});
    if (port.as_int() < ranges.first_port) out.notes.back().issue = Issue::kTooSmall;
  }
  AnyCluster pool;
  const auto picked = kinds::pick_addresses(object, old, arena, pool);
  if (picked) return true;
  out.errors = picked.error().errors;
  out.refused = picked.error().failure;
  return false;
}

void BuiltinRules::judge_create(Value& object, Arena& arena, Outcome& out) const {
  const kinds::BuiltinStrategy& strategy = *resource_->strategy;
  resource::fill_new(
      object, {.uid = kUid, .time = kNow, .keeps_generation = resource_->keeps_generation}, arena);
  const FilledIn filled(object, arena, resource_->namespaced);
  if (resource_->picks_addresses && !pick_addresses(object, nullptr, arena, out)) return;
  const kinds::WriteRequest request{
      .resource = *resource_, .version = *version_, .now = kNow, .warnings = &out.warnings};
  strategy.prepare_create(object, arena, request);
  if (auto verdict = strategy.check_create(object, request)) {
    out.errors = std::move(verdict->errors);
    std::ranges::move(verdict->warnings, std::back_inserter(out.warnings));
  } else {
    out.refused = verdict.error().message();
  }
  if (!out.errors.empty()) return;
  std::ranges::move(strategy.warnings(object, nullptr), std::back_inserter(out.warnings));
  for (const OwnAdmission& one : kAdmissions) {
    if (one.kind != resource_->group_kind()) continue;
    if (auto fault = one.fault(object)) out.refused = *std::move(fault);
  }
}

void BuiltinRules::judge_update(Value& object, const Value& sent_old, Arena& arena,
                                Outcome& out) const {
  const kinds::BuiltinStrategy& strategy = *resource_->strategy;
  Value old = value::deep_copy(sent_old, arena);
  if (const auto read = strategy.decode(old, arena, *version_, {.from_text = false}); !read) {
    out.refused = say(Phrase::kOldObject, read.error().message());
    return;
  }
  const FilledIn old_filled(old, arena, resource_->namespaced);
  FilledIn filled(object, arena, resource_->namespaced);
  filled.take_from(old, arena);
  resource::carry_over(object, old, arena);
  if (resource_->picks_addresses && !pick_addresses(object, &old, arena, out)) return;
  const kinds::WriteRequest request{
      .resource = *resource_, .version = *version_, .now = kNow, .warnings = &out.warnings};
  strategy.prepare_update(object, old, arena, request);
  if (auto verdict = strategy.check_update(object, old, request)) {
    out.errors = std::move(verdict->errors);
    std::ranges::move(verdict->warnings, std::back_inserter(out.warnings));
  } else {
    out.refused = verdict.error().message();
  }
  if (out.errors.empty())
    std::ranges::move(strategy.warnings(object, &old), std::back_inserter(out.warnings));
}

void BuiltinRules::judge(const Value& object, const Subject& subject, const schema::Node* schema,
                         std::vector<Fault>& faults) const {
  Outcome out;
  Value work = value::deep_copy(object, subject.arena);
  // Who owns which field is what the server says of it. What it cannot read it forgets.
  resource::remove_meta(work, "managedFields");
  if (Value* metadata = work.find("metadata"); metadata != nullptr && metadata->is_object()) {
    if (auto text = meta::dedupe_owner_references(*metadata))
      out.warnings.push_back(*std::move(text));
  }
  if (subject.old == nullptr) {
    judge_create(work, subject.arena, out);
  } else {
    judge_update(work, *subject.old, subject.arena, out);
  }
  // A server says some things twice; once is enough for people.
  std::unordered_set<std::string> told;
  for (const FieldError& error : out.errors) {
    if (!told.insert(error.to_string()).second) continue;
    Fault fault = fault_from(error);
    if (schema != nullptr) add_hint(fault, error, *schema);
    faults.push_back(std::move(fault));
  }
  add_omitted(out.errors, faults);
  if (!out.refused.empty())
    faults.push_back({.issue = Issue::kNotAllowed, .message = out.refused, .reason = "Forbidden"});
  std::ranges::move(out.notes, std::back_inserter(faults));
  for (const std::string& text : out.warnings)
    faults.push_back(warning_from(text, subject.as_sent));
}

}  // namespace strake::validate
