// Conversion between versions, and the webhook that may do it.
#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "crd/check_parts.h"
#include "crd/webhook_client.h"
#include "meta/names.h"

namespace strake::crd {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// What keeps a bundle from being read; empty when nothing does. As client-go loads root
// certificates, blocks of other types are passed over, and so is all that cannot be read behind a
// first good certificate. The certificate itself is not parsed: any ASN.1 sequence passes.
std::string ca_bundle_fault(std::string_view pem) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kDashes = "-----";
  bool found = false;
  while (!pem.empty()) {
    const std::size_t begin = pem.find(kBegin);
    const std::size_t type_end =
        begin == std::string_view::npos ? begin : pem.find(kDashes, begin + kBegin.size());
    if (type_end == std::string_view::npos) {
      return found ? "" : "unable to load root certificates: unable to parse bytes as PEM block";
    }
    const std::string_view type =
        pem.substr(begin + kBegin.size(), type_end - begin - kBegin.size());
    const std::string end = fmt::format("-----END {}-----", type);
    const std::size_t body = type_end + kDashes.size();
    const std::size_t stop = pem.find(end, body);
    if (stop == std::string_view::npos) {
      return found ? "" : "unable to load root certificates: unable to parse bytes as PEM block";
    }
    if (type == "CERTIFICATE") {
      const auto der = base64_decode(pem.substr(body, stop - body));
      // A certificate is one ASN.1 sequence.
      if (der && der->size() > 2 && (*der)[0] == 0x30) {
        found = true;
      } else if (!found) {
        return "unable to load root certificates: failed to parse certificate: x509: malformed "
               "certificate";
      }
    }
    pem.remove_prefix(std::min(stop + end.size() + 1, pem.size()));
  }
  return found ? "" : "unable to load root certificates: no valid certificate authority data seen";
}

std::string ca_bundle_fault_of(std::string_view base64) {
  const auto pem = base64_decode(base64);
  return pem ? ca_bundle_fault(*pem) : std::string(pem.error().message());
}

void check_client_config(const SchemaView& config, const CheckOptions& options, const FieldPath& at,
                         FieldErrors& errors) {
  const auto url = config.optional_text("url");
  const auto service = config.schema("service");
  if (url.has_value() == service.has_value()) {
    errors.push_back(FieldError::required(at, "exactly one of url or service is required"));
  } else if (url) {
    check_webhook_url(*url, at / "url", errors);
  } else {
    check_webhook_service(service->value(), at / "service", errors);
  }
  const std::string_view bundle = config.text("caBundle");
  if (bundle.empty() || options.allow_invalid_ca_bundle) return;
  if (std::string fault = ca_bundle_fault_of(bundle); !fault.empty()) {
    errors.push_back(invalid_json(at / "caBundle", Value::string(bundle), std::move(fault)));
  }
}

void check_review_versions(const Value* versions, const CheckOptions& options, const FieldPath& at,
                           FieldErrors& errors) {
  if (versions == nullptr || !versions->is_array() || versions->size() == 0) {
    errors.push_back(FieldError::required(at));
    return;
  }
  TextSet seen;
  for (std::size_t i = 0; i < versions->size(); ++i) {
    const Value& version = versions->items()[i];
    if (!seen.emplace(version.as_string()).second) {
      errors.push_back(FieldError::invalid(at / i, version, "duplicate version"));
      continue;
    }
    for (const std::string& message : meta::check_dns1035_label(version.as_string())) {
      errors.push_back(FieldError::invalid(at / i, version, message));
    }
  }
  if (options.require_recognized_review_version && !seen.contains("v1") &&
      !seen.contains("v1beta1")) {
    errors.push_back(
        FieldError::invalid(at, *versions, "must include at least one of v1, v1beta1"));
  }
}

}  // namespace

bool is_valid_ca_bundle(std::string_view base64) { return ca_bundle_fault_of(base64).empty(); }

void check_conversion(const Crd& crd, const CheckOptions& options, const FieldPath& at,
                      FieldErrors& errors) {
  if (crd.conversion() == nullptr) return;
  static const std::vector<std::string> kStrategies = {"None", "Webhook"};
  const SchemaView conversion(*crd.conversion());
  const std::string_view strategy = conversion.text("strategy");
  if (strategy != "None" && crd.preserve_unknown_fields()) {
    errors.push_back(invalid_json(at / "strategy", Value::string(strategy),
                                  "must be None if spec.preserveUnknownFields is true"));
  }
  if (strategy.empty()) {
    errors.push_back(FieldError::required(at / "strategy"));
  } else if (strategy != "None" && strategy != "Webhook") {
    errors.push_back(
        FieldError::not_supported(at / "strategy", Value::string(strategy), kStrategies));
  }
  // In the form that is checked, the webhook's two parts lie beside the strategy.
  const auto webhook = conversion.schema("webhook");
  const auto config = webhook ? webhook->schema("clientConfig") : std::nullopt;
  const Value* versions = webhook ? webhook->get("conversionReviewVersions") : nullptr;
  if (strategy == "Webhook") {
    if (!config) {
      errors.push_back(FieldError::required(at / "webhookClientConfig",
                                            "required when strategy is set to Webhook"));
    } else {
      check_client_config(*config, options, at / "webhookClientConfig", errors);
    }
    check_review_versions(versions, options, at / "conversionReviewVersions", errors);
    return;
  }
  constexpr std::string_view kNotSet = "should not be set when strategy is not set to Webhook";
  if (config)
    errors.push_back(FieldError::forbidden(at / "webhookClientConfig", std::string(kNotSet)));
  if (versions != nullptr && versions->is_array() && versions->size() > 0) {
    errors.push_back(FieldError::forbidden(at / "conversionReviewVersions", std::string(kNotSet)));
  }
}

}  // namespace strake::crd
