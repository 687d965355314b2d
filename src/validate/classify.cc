#include "validate/classify.h"

#include <fmt/format.h>

#include <algorithm>

#include "validate/locate.h"
#include "validate/phrases.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

// The checks of the server return its own messages. Reports also need a code and parameters that
// programs can rely on; they are recovered from the words here, so that the checks stay free of
// them. The words are fixed by kube-apiserver 1.36, and each form has a test.

namespace strake::validate {
namespace {

using value::FieldError;

// What stands between the two marks, the first of each; up to the end when there is no second.
std::string_view between(std::string_view text, std::string_view from, std::string_view to) {
  const std::size_t start = text.find(from);
  if (start == std::string_view::npos) return {};
  text.remove_prefix(start + from.size());
  return to.empty() ? text : text.substr(0, text.find(to));
}

// Text that is JSON already stays so; other text becomes a string.
std::string as_json(std::string_view text) {
  return !text.empty() && value::read_json(text) ? std::string(text) : json_text(text);
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

void add(Fault& fault, std::string_view name, std::string json) {
  fault.params.push_back({std::string(name), std::move(json)});
}

void add_got(Fault& fault, const FieldError& error) {
  if (error.shown) add(fault, "got", as_json(*error.shown));
}

void classify_bound(Fault& fault, const FieldError& error, bool minimum) {
  fault.issue = minimum ? Issue::kTooSmall : Issue::kTooBig;
  const std::string_view detail = error.detail;
  const std::string_view word = minimum ? "should be greater than " : "should be less than ";
  std::string_view bound = between(detail, word, "");
  constexpr std::string_view kOrEqual = "or equal to ";
  const bool exclusive = !bound.starts_with(kOrEqual);
  if (!exclusive) bound.remove_prefix(kOrEqual.size());
  add(fault, minimum ? "minimum" : "maximum", as_json(bound));
  add(fault, "exclusive", exclusive ? "true" : "false");
  add_got(fault, error);
}

void classify_count(Fault& fault, const FieldError& error, bool minimum) {
  fault.issue = minimum ? Issue::kTooShort : Issue::kTooLong;
  // "should be at least 3 chars long", "should have at least 3 items", "must have at most 3 items",
  // "may not be more than 3 bytes"
  const std::string_view detail = error.detail;
  std::string_view rest = between(detail, minimum ? "at least " : "at most ", "");
  if (rest.empty()) rest = between(detail, "more than ", "");
  const std::string_view number = rest.substr(0, rest.find(' '));
  if (rest.size() > number.size()) {
    const std::string_view unit = rest.substr(number.size() + 1);
    std::string word(unit.substr(0, unit.find(' ')));
    if (word == "chars" || word == "byte" || word == "bytes") word = "characters";
    if (word == "item") word = "items";
    add(fault, "unit", json_text(word));
  }
  if (!number.empty()) add(fault, minimum ? "min" : "max", as_json(number));
  if (error.type == FieldError::Type::kTooMany || error.type == FieldError::Type::kTooFew)
    add_got(fault, error);
}

constexpr std::string_view kRuleLimit = "10000000";
constexpr std::string_view kSchemaLimit = "100000000";
constexpr std::string_view kCallLimit = "1000000";

void classify_forbidden(Fault& fault, const FieldError& error) {
  fault.issue = Issue::kNotAllowed;
  const std::string_view detail = error.detail;
  constexpr std::string_view kUnsupported = " is not supported";
  if (has(detail, "exceeds budget by factor of ") || has(detail, "exceeding cost limit for ")) {
    fault.issue = Issue::kCelBudget;
    const std::string_view factor = between(detail, "by factor of ", " (");
    if (!factor.empty()) add(fault, "cost", json_text(factor));
    add(fault, "limit", std::string(has(detail, "entire ") ? kSchemaLimit : kRuleLimit));
  } else if (detail.ends_with(kUnsupported)) {
    fault.issue = Issue::kSchemaUnsupported;
    add(fault, "keyword", json_text(detail.substr(0, detail.size() - kUnsupported.size())));
  }
}

void classify_invalid(Fault& fault, const FieldError& error) {
  const std::string_view detail = error.detail;
  if (has(detail, "compilation failed: ")) {
    fault.issue = Issue::kCelCompile;
    return;
  }
  if (has(detail, "should be greater than ")) return classify_bound(fault, error, true);
  if (has(detail, "should be less than ")) return classify_bound(fault, error, false);
  if (has(detail, "should be at least ") || has(detail, "should have at least ")) {
    return classify_count(fault, error, true);
  }
  if (has(detail, "should have at most ")) return classify_count(fault, error, false);
  if (has(detail, "should be a multiple of ")) {
    fault.issue = Issue::kNotMultiple;
    add(fault, "multipleOf", as_json(between(detail, "should be a multiple of ", "")));
    return add_got(fault, error);
  }
  if (has(detail, "in body should match '")) {
    fault.issue = Issue::kPattern;
    std::string_view pattern = between(detail, "in body should match '", "");
    if (pattern.ends_with('\'')) pattern.remove_suffix(1);
    return add(fault, "pattern", json_text(pattern));
  }
  if (has(detail, "must validate one and only one schema (oneOf)")) {
    const bool none = has(detail, "Found none valid");
    fault.issue = none ? Issue::kNoMatch : Issue::kUnionAmbiguous;
    if (!none) add(fault, "matched", as_json(between(detail, "Found ", " valid")));
    return;
  }
  if (has(detail, "must validate at least one schema (anyOf)") ||
      has(detail, "must validate all the schemas (allOf)")) {
    fault.issue = Issue::kNoMatch;
    return;
  }
  if (has(detail, "must not validate the schema (not)")) {
    fault.issue = Issue::kNotAllowed;
    return;
  }
  if (has(detail, "some validation rules were not checked")) {
    fault.issue = Issue::kCelError;
    fault.afterthought = true;
    return;
  }
  if (has(detail, "field is immutable")) {
    fault.issue = Issue::kNotAllowed;
    return;
  }
  if (has(detail, "value must be of type ") || has(detail, "must be an object for an array")) {
    fault.issue = Issue::kInvalidType;
    return;
  }
  // What is left are names, labels and other texts with a form of their own.
  fault.issue = Issue::kInvalidFormat;
  constexpr std::pair<std::string_view, std::string_view> kForms[] = {
      {"RFC 1123 subdomain", "dns-1123-subdomain"},
      {"RFC 1123 label", "dns-1123-label"},
      {"DNS-1035 label", "dns-1035-label"},
      {"a valid label must be", "label-value"},
      {"name part must consist of", "qualified-name"},
      {"prefix part ", "qualified-name"}};
  for (const auto& [words, name] : kForms) {
    if (has(detail, words)) return add(fault, "format", json_text(name));
  }
}

void classify_type(Fault& fault, const FieldError& error) {
  // "spec.a in body must be of type integer: "string"". A format is worded the same, and then the
  // value itself is shown.
  const std::string_view wanted = between(error.detail, "in body must be of type ", ":");
  constexpr std::string_view kTypes[] = {"string", "number", "integer",       "boolean",
                                         "array",  "object", "integer,string"};
  constexpr std::string_view kNumberFormats[] = {"int32", "int64", "float", "double"};
  if (std::ranges::find(kTypes, wanted) != std::end(kTypes) ||
      std::ranges::find(kNumberFormats, wanted) != std::end(kNumberFormats)) {
    fault.issue = Issue::kInvalidType;
    add(fault, "expected", json_text(wanted));
    add_got(fault, error);
    return;
  }
  fault.issue = Issue::kInvalidFormat;
  if (!wanted.empty()) add(fault, "format", json_text(wanted));
}

Fault shell_of(const FieldError& error) {
  return {.path = error.path,
          .field = error.field(),
          .message = error.body(),
          .reason = std::string(error.reason())};
}

}  // namespace

std::string json_text(std::string_view text) {
  std::string out;
  value::write_json_string(text, out, false);
  return out;
}

Fault duplicate_key_fault(const value::DuplicateKey& duplicate, FieldPath path, Severity severity) {
  Fault fault{.issue = Issue::kDuplicateKey, .severity = severity, .at_key = true};
  fault.message = say(Phrase::kDuplicateField, path.to_k8s());
  const std::string first = fmt::format("{}:{}", duplicate.first.line, duplicate.first.column);
  fault.hint = say(Phrase::kFirstAt, first);
  if (!path.empty()) add(fault, "key", json_text(path.steps().back().name));
  add(fault, "first", json_text(first));
  fault.path = std::move(path);
  return fault;
}

Fault too_large_fault(std::uint64_t limit) {
  Fault fault{.issue = Issue::kTruncated, .message = say(Phrase::kTooLarge, limit)};
  add(fault, "limit", fmt::format("{}", limit));
  return fault;
}

Fault fault_from(const FieldError& error) {
  Fault fault = shell_of(error);
  using enum FieldError::Type;
  switch (error.type) {
    case kRequired:
      fault.issue = Issue::kRequired;
      if (!error.path.empty()) add(fault, "property", json_text(error.path.steps().back().name));
      break;
    case kDuplicate: fault.issue = Issue::kDuplicateItem; break;
    case kInvalid: classify_invalid(fault, error); break;
    case kTypeInvalid: classify_type(fault, error); break;
    case kNotSupported:
      fault.issue = Issue::kInvalidEnum;
      add(fault, "allowed", fmt::format("[{}]", between(error.detail, "supported values: ", "")));
      if (!value::read_json(fault.params.back().json)) fault.params.pop_back();
      add_got(fault, error);
      break;
    case kForbidden: classify_forbidden(fault, error); break;
    case kTooLong:
    case kTooMany: classify_count(fault, error, false); break;
    case kTooShort:
    case kTooFew: classify_count(fault, error, true); break;
    case kNotFound:
    case kInternal: fault.issue = Issue::kCustom; break;
  }
  return fault;
}

Fault rule_fault_from(const FieldError& error) {
  Fault fault = shell_of(error);
  const std::string_view detail = error.detail;
  fault.issue = Issue::kCelViolation;
  if (has(detail, "running out of cost budget")) {
    fault.issue = Issue::kCelBudget;
    add(fault, "limit", std::string(kRuleLimit));
  } else if (has(detail, "running out of time")) {
    fault.issue = Issue::kCelBudget;
    add(fault, "limit", json_text("time"));
  } else if (has(detail, "call cost exceeds limit for ")) {
    fault.issue = Issue::kCelBudget;
    add(fault, "limit", std::string(kCallLimit));
  } else if (detail.starts_with("rule compile")) {
    fault.issue = Issue::kCelCompile;
  } else if (has(detail, " evaluating rule: ") ||
             has(detail, "call arguments did not match a supported operator")) {
    fault.issue = Issue::kCelError;
  }
  return fault;
}

Fault rule_warning_from(std::string_view text, const value::Value& as_sent) {
  Fault fault{.issue = Issue::kCelViolation, .severity = Severity::kWarning};
  const std::size_t end = text.find(": ");
  const std::string_view field = text.substr(0, end);
  fault.path = find_nearest_path(as_sent, field);
  if (end == std::string_view::npos || fault.path.empty()) {
    fault.message = text;
    return fault;
  }
  fault.field = field;
  fault.message = text.substr(end + 2);
  return fault;
}

void add_omitted(const value::FieldErrors& errors, std::vector<Fault>& faults) {
  if (errors.omitted() == 0) return;
  faults.push_back({.issue = Issue::kTruncated, .omitted = errors.omitted()});
}

}  // namespace strake::validate
