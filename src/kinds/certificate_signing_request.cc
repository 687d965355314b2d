// CertificateSigningRequests: who asks is written by the server, who approves writes conditions
// through "approval", who signs writes the certificate through "status". Each leaves the rest
// alone.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/base64.h"
#include "base/quote.h"
#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/pem.h"
#include "meta/age.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kLegacySigner = "kubernetes.io/legacy-unknown";
constexpr std::int64_t kLeastSeconds = 600;
constexpr std::size_t kMostDomain = 253;

// Sorted, as refusals list them.
constexpr std::string_view kUsages[] = {"any",
                                        "cert sign",
                                        "client auth",
                                        "code signing",
                                        "content commitment",
                                        "crl sign",
                                        "data encipherment",
                                        "decipher only",
                                        "digital signature",
                                        "email protection",
                                        "encipher only",
                                        "ipsec end system",
                                        "ipsec tunnel",
                                        "ipsec user",
                                        "key agreement",
                                        "key encipherment",
                                        "microsoft sgc",
                                        "netscape sgc",
                                        "ocsp signing",
                                        "s/mime",
                                        "server auth",
                                        "signing",
                                        "timestamping"};

// What only approvers write, and what nobody takes back.
constexpr std::array kDecisions = {std::string_view("Approved"), std::string_view("Denied")};
constexpr std::array kFinal = {std::string_view("Approved"), std::string_view("Denied"),
                               std::string_view("Failed")};

FieldPath at_conditions() { return FieldPath() / "status" / "conditions"; }

// Whether the bytes are one whole DER sequence. What it holds is read by who signs.
bool is_der_sequence(std::string_view bytes) {
  if (bytes.size() < 2 || bytes[0] != 0x30) return false;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  std::size_t length = at(1);
  std::size_t head = 2;
  if (length >= 0x80) {
    const std::size_t digits = length & 0x7f;
    if (digits == 0 || digits > 4 || bytes.size() < 2 + digits) return false;
    length = 0;
    for (std::size_t i = 0; i < digits; ++i) length = length << 8 | at(2 + i);
    head += digits;
  }
  return bytes.size() - head == length;
}

void check_request(std::string_view encoded, const FieldPath& at, FieldErrors& errors) {
  const auto refuse = [&](std::string_view why) {
    // Without bytes it is null in Go.
    errors.push_back(FieldError::invalid(at, encoded.empty() ? Value() : Value::string(encoded),
                                         std::string(why)));
  };
  const auto text = base64_decode(encoded);
  const std::vector<PemBlock> blocks = text ? pem_blocks(*text) : std::vector<PemBlock>();
  if (blocks.empty() || blocks.front().type != "CERTIFICATE REQUEST")
    return refuse("PEM block type must be CERTIFICATE REQUEST");
  if (!is_der_sequence(blocks.front().bytes)) refuse("asn1: syntax error: data truncated");
}

// Empty when it is fine.
std::string certificate_fault(std::string_view encoded) {
  const auto text = base64_decode(encoded);
  const std::vector<PemBlock> blocks = text ? pem_blocks(*text) : std::vector<PemBlock>();
  for (const PemBlock& one : blocks) {
    if (one.type != "CERTIFICATE")
      return fmt::format("only CERTIFICATE PEM blocks are allowed, found {}", quote(one.type));
    if (one.has_headers) return "no PEM block headers are permitted";
    if (!is_der_sequence(one.bytes)) return "x509: malformed certificate";
  }
  return blocks.empty() ? "must contain at least one CERTIFICATE PEM block" : "";
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t end = text.find(by);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

// The first label that is wrong tells what is wrong with it, and no other does.
void check_labels(std::string_view segment, meta::Messages (*check)(std::string_view),
                  const FieldPath& at, FieldErrors& errors) {
  for (const std::string_view label : split(segment, '.')) {
    const meta::Messages wrong = check(label);
    for (const std::string& message : wrong) {
      errors.push_back(
          FieldError::invalid(at, Value::string(segment),
                              fmt::format("validating label {}: {}", quote(label), message)));
    }
    if (!wrong.empty()) return;
  }
}

void check_signer(std::string_view signer, const FieldPath& at, FieldErrors& errors) {
  if (signer == kLegacySigner) {
    errors.push_back(FieldError::invalid(
        at, Value::string(signer), "the legacy signerName is not allowed via this API version"));
    return;
  }
  if (signer.empty()) return errors.push_back(FieldError::required(at));
  const std::vector<std::string_view> segments = split(signer, '/');
  if (segments.size() != 2) {
    errors.push_back(FieldError::invalid(at, Value::string(signer),
                                         "must be a fully qualified domain and path of the form "
                                         "'example.com/signer-name'"));
    return;
  }
  const auto check_length = [&](std::string_view text, std::size_t most) {
    if (text.size() > most)
      errors.push_back(FieldError::too_long(at, static_cast<std::int64_t>(most)));
  };
  check_length(segments[0], kMostDomain);
  check_labels(segments[0], meta::check_dns1123_label, at, errors);
  if (!segments[0].contains('.')) {
    errors.push_back(
        FieldError::invalid(at, Value::string(segments[0]),
                            "should be a domain with at least two segments separated by dots"));
  }
  check_labels(segments[1], meta::check_dns1123_subdomain, at, errors);
  check_length(segments[1], kMostDomain);
  check_length(signer, 2 * kMostDomain + 1);
}

void check_usages(std::span<const Value> usages, const FieldPath& at, FieldErrors& errors) {
  if (usages.empty()) errors.push_back(FieldError::required(at));
  std::vector<std::string_view> seen;
  for (std::size_t i = 0; i < usages.size(); ++i) {
    const std::string_view usage = value::text_of(usages[i]);
    if (std::ranges::find(kUsages, usage) == std::end(kUsages)) {
      errors.push_back(FieldError::not_supported(
          at / i, usages[i], std::vector<std::string>(std::begin(kUsages), std::end(kUsages))));
    }
    if (std::ranges::find(seen, usage) != seen.end()) {
      errors.push_back(FieldError::duplicate(at / i, usages[i]));
    } else if (seen.size() < std::size(kUsages)) {
      seen.push_back(usage);  // there are no more that could stand twice unseen
    }
  }
}

std::span<const Value> conditions_of(const Value& object) {
  const Value* status = member(object, "status");
  return status != nullptr ? items(*status, "conditions") : std::span<const Value>();
}

std::vector<const Value*> of_type(const Value& object, std::string_view type) {
  std::vector<const Value*> out;
  for (const Value& one : conditions_of(object)) {
    if (text_of(one, "type") == type) out.push_back(&one);
  }
  return out;
}

void check_signing_condition(const Value& condition, const FieldPath& at, FieldErrors& errors) {
  const std::string_view type = text_of(condition, "type");
  const std::string_view status = text_of(condition, "status");
  if (type.empty()) errors.push_back(FieldError::required(at / "type"));
  if (status.empty()) {
    errors.push_back(FieldError::required(at / "status"));
  } else if (std::ranges::find(kFinal, type) != kFinal.end()) {
    check_text_is_one_of(status, {"True"}, at / "status", errors);
  } else {
    check_text_is_one_of(status, {"False", "True", "Unknown"}, at / "status", errors);
  }
}

void check_all_conditions(const Value& object, FieldErrors& errors) {
  const std::span<const Value> conditions = conditions_of(object);
  bool decided = false;
  std::string_view decision;
  std::vector<std::string_view> seen;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const FieldPath at = at_conditions() / i;
    check_signing_condition(conditions[i], at, errors);
    const std::string_view type = text_of(conditions[i], "type");
    if (std::ranges::find(kDecisions, type) != kDecisions.end()) {
      if (decided && decision != type) {
        errors.push_back(
            FieldError::invalid(at_conditions(), Value::string(type),
                                "Approved and Denied conditions are mutually exclusive"));
      }
      decided = true;
      decision = type;
    }
    seen.push_back(type);
  }
  std::ranges::sort(seen);
  if (std::ranges::adjacent_find(seen) == seen.end()) return;
  for (std::size_t i = 1; i < conditions.size(); ++i) {
    const std::string_view type = text_of(conditions[i], "type");
    const auto same = [&](const Value& one) { return text_of(one, "type") == type; };
    if (std::ranges::any_of(conditions.first(i), same)) {
      errors.push_back(FieldError::duplicate(at_conditions() / i / "type", Value::string(type)));
      return;  // one says enough, however long the list is
    }
  }
}

FieldErrors validate(const Value& object) {
  FieldErrors errors;
  const Value none = Value::object({});
  const Value* found = member(object, "spec");
  const Value& spec = found != nullptr ? *found : none;
  const FieldPath at = FieldPath() / "spec";
  check_request(text_of(spec, "request"), at / "request", errors);
  check_usages(items(spec, "usages"), at / "usages", errors);
  check_signer(text_of(spec, "signerName"), at / "signerName", errors);
  if (const Value* seconds = member(spec, "expirationSeconds");
      seconds != nullptr && seconds->as_int() < kLeastSeconds) {
    errors.push_back(
        FieldError::invalid(at / "expirationSeconds", *seconds,
                            "may not specify a duration less than 600 seconds (10 minutes)"));
  }
  check_all_conditions(object, errors);
  if (const std::string_view certificate = text_of(object, {"status", "certificate"});
      !certificate.empty()) {
    if (std::string fault = certificate_fault(certificate); !fault.empty()) {
      errors.push_back(FieldError::invalid(FieldPath() / "status" / "certificate",
                                           Value::string("<certificate data>"), std::move(fault)));
    }
  }
  return errors;
}

// What an update may not take back, whatever its way.
void check_kept(const Value& object, const Value& old, FieldErrors& errors) {
  for (const std::string_view type : kFinal) {
    if (of_type(object, type).size() < of_type(old, type).size()) {
      errors.push_back(FieldError::forbidden(
          at_conditions(),
          fmt::format("updates may not remove a condition of type {}", quote(type))));
    }
  }
  const std::string_view before = text_of(old, {"status", "certificate"});
  if (!before.empty() && before != text_of(object, {"status", "certificate"})) {
    errors.push_back(FieldError::forbidden(FieldPath() / "status" / "certificate",
                                           "updates may not modify existing certificate content"));
  }
}

void fill_times(Value& object, const Value& old, std::string_view now, Arena& arena) {
  Value* status = object.find("status");
  Value* conditions = status != nullptr ? status->find("conditions") : nullptr;
  if (conditions == nullptr || !conditions->is_array()) return;
  for (Value& one : conditions->mutable_items()) {
    if (!one.is_object()) continue;
    if (text_of(one, "lastUpdateTime").empty())
      one.set("lastUpdateTime", Value::string(arena.copy(now)), arena);
    if (!text_of(one, "lastTransitionTime").empty()) continue;
    std::string_view since = now;
    for (const Value& before : conditions_of(old)) {
      if (same_member(one, before, "type") && same_member(one, before, "status") &&
          !text_of(before, "lastTransitionTime").empty()) {
        since = text_of(before, "lastTransitionTime");
        break;
      }
    }
    one.set("lastTransitionTime", Value::string(arena.copy(since)), arena);
  }
}

// Decisions are not the signer's: those that stand are put back. One more or less is left to the
// check, which refuses it.
void keep_decisions(Value& object, const Value& old, Arena& arena) {
  Value* status = object.find("status");
  Value* conditions = status != nullptr ? status->find("conditions") : nullptr;
  if (conditions == nullptr || !conditions->is_array()) return;
  for (const std::string_view type : kDecisions) {
    const std::vector<const Value*> before = of_type(old, type);
    if (of_type(object, type).size() != before.size()) continue;
    std::size_t next = 0;
    for (Value& one : conditions->mutable_items()) {
      if (text_of(one, "type") == type) one = value::deep_copy(*before[next++], arena);
    }
  }
}

void set_texts(Value& object, std::string_view key, std::span<const std::string> texts,
               Arena& arena) {
  object.remove(key);
  if (texts.empty()) return;
  Value list = Value::array({});
  for (const std::string& one : texts) list.append(Value::string(arena.copy(one)), arena);
  object.set(arena.copy(key), list, arena);
}

std::string state_of(const Value& object) {
  std::string out = !of_type(object, "Denied").empty()     ? "Denied"
                    : !of_type(object, "Approved").empty() ? "Approved"
                                                           : "Pending";
  if (!of_type(object, "Failed").empty()) out += ",Failed";
  if (!text_of(object, {"status", "certificate"}).empty()) out += ",Issued";
  return out;
}

constexpr std::string_view kSignerDescription =
    "Requested signer for the request. It is a qualified name in the form: "
    "`scope-hostname.io/name`. If empty, it will be defaulted:\n 1. If it's a kubelet client "
    "certificate, it is assigned\n    \"kubernetes.io/kube-apiserver-client-kubelet\".\n 2. If "
    "it's a kubelet serving certificate, it is assigned\n    \"kubernetes.io/kubelet-serving\".\n "
    "3. Otherwise, it is assigned \"kubernetes.io/legacy-unknown\".\nDistribution of trust for "
    "signers happens out of band. You can select on this field using `spec.signerName`.";
constexpr std::string_view kDurationDescription =
    "expirationSeconds is the requested duration of validity of the issued certificate. The "
    "certificate signer may issue a certificate with a different validity duration so a client "
    "must check the delta between the notBefore and and notAfter fields in the issued certificate "
    "to determine the actual duration.\n\nThe v1.22+ in-tree implementations of the well-known "
    "Kubernetes signers will honor this field as long as the requested duration is not greater "
    "than the maximum duration they will honor per the --cluster-signing-duration CLI flag to the "
    "Kubernetes controller manager.\n\nCertificate signers may not honor this field for various "
    "reasons:\n\n  1. Old signer that is unaware of the field (such as the in-tree\n     "
    "implementations prior to v1.22)\n  2. Signer whose configured maximum is shorter than the "
    "requested duration\n  3. Signer whose configured minimum is longer than the requested "
    "duration\n\nThe minimum valid value for expirationSeconds is 600, i.e. 10 minutes.";

class CertificateSigningRequestStrategy final : public BuiltinStrategy {
 public:
  CertificateSigningRequestStrategy()
      : BuiltinStrategy("io.k8s.api.certificates.v1.CertificateSigningRequest") {
    const auto column = [](std::string_view name, std::string_view description) {
      return Column{
          .name = std::string(name), .type = "string", .description = std::string(description)};
    };
    set_columns(
        {name_column(), age_column(), column("SignerName", kSignerDescription),
         column("Requestor", "Base64-encoded PKCS#10 CSR data"),
         column("RequestedDuration", kDurationDescription),
         column("Condition", "Conditions applied to the request, such as approval or denial.")});
  }

  // Nobody cares what they are called, as long as it is a path.
  meta::Messages check_name(std::string_view name, bool prefix) const override {
    return meta::name_is_path_segment(name, prefix);
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest& request) const override {
    Value& spec = object.object_at("spec", arena);
    const auto set_text = [&](std::string_view key, std::string_view text) {
      spec.remove(key);
      if (!text.empty()) spec.set(key, Value::string(arena.copy(text)), arena);
    };
    set_text("username", request.user);
    set_text("uid", request.uid);
    set_texts(spec, "groups", request.groups, arena);
    spec.remove("extra");
    if (request.extra != nullptr && !request.extra->empty()) {
      Value& extra = spec.object_at("extra", arena);
      for (const auto& [key, texts] : *request.extra) set_texts(extra, key, texts, arena);
    }
    object.set("status", Value::object({}), arena);
  }
  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    return validate(object);
  }

  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    keep_member(object, old, "spec", arena);
    keep_member(object, old, "status", arena);
  }
  // Neither spec nor status has changed.
  FieldErrors validate_update(const Value&, const Value&, const WriteRequest&) const override {
    return {};
  }

  void prepare_status(Value& object, const Value& old, Arena& arena,
                      const WriteRequest& request) const override {
    keep_member(object, old, "spec", arena);
    keep_decisions(object, old, arena);
    fill_times(object, old, request.now, arena);
  }
  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors = validate(object);
    check_kept(object, old, errors);
    for (const std::string_view type : kDecisions) {
      if (of_type(object, type).size() > of_type(old, type).size()) {
        errors.push_back(FieldError::forbidden(
            at_conditions(),
            fmt::format("updates may not add a condition of type {}", quote(type))));
      }
    }
    return errors;
  }

  // Of "approval".
  void prepare_other(Value& object, const Value& old, Arena& arena,
                     const WriteRequest& request) const override {
    keep_member(object, old, "spec", arena);
    Value& status = object.object_at("status", arena);
    const Value none = Value::object({});
    const Value* before = member(old, "status");
    keep_member(status, before != nullptr ? *before : none, "certificate", arena);
    fill_times(object, old, request.now, arena);
  }
  FieldErrors validate_other(const Value& object, const Value& old,
                             const WriteRequest&) const override {
    FieldErrors errors = validate(object);
    check_kept(object, old, errors);
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const Value* seconds = member(object, {"spec", "expirationSeconds"});
    const std::string asked =
        seconds != nullptr ? meta::human_age(std::chrono::seconds(seconds->as_int())) : "<none>";
    out = {name_cell(object),
           age_cell(object, now, arena),
           Value::string(text_of(object, {"spec", "signerName"})),
           Value::string(text_of(object, {"spec", "username"})),
           Value::string(arena.copy(asked)),
           Value::string(arena.copy(state_of(object)))};
  }

  std::span<const std::string_view> field_labels() const override {
    static constexpr std::string_view kLabels[] = {"spec.signerName"};
    return kLabels;
  }
  std::string field(const Value& object, std::string_view label) const override {
    return label == "spec.signerName" ? std::string(text_of(object, {"spec", "signerName"})) : "";
  }
};

}  // namespace

const BuiltinStrategy& certificate_signing_request_strategy() {
  static const CertificateSigningRequestStrategy& strategy =
      *new CertificateSigningRequestStrategy();
  return strategy;
}

}  // namespace strake::kinds
