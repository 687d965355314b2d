#include "api/controllers/crd_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "meta/names.h"

namespace strake::api {
namespace {

using value::Document;
using value::Value;

Value list_of(const std::vector<std::string_view>& from, Arena& arena) {
  Value out = Value::array({});
  for (const std::string_view one : from) out.append(Value::string(arena.copy(one)), arena);
  return out;
}

}  // namespace

TakenNames::TakenNames(const crd::Names& wanted)
    : resources_({{wanted.plural, false}, {wanted.singular, false}}),
      kinds_({{wanted.kind, false}, {wanted.list_kind, false}}) {
  for (const std::string_view one : wanted.short_names) resources_.emplace(one, false);
}

void TakenNames::add_resource(std::string_view name) {
  if (const auto found = resources_.find(name); found != resources_.end()) found->second = true;
}

void TakenNames::add_kind(std::string_view name) {
  if (const auto found = kinds_.find(name); found != kinds_.end()) found->second = true;
}

bool TakenNames::is_taken(const Wanted& wanted, std::string_view name) {
  const auto found = wanted.find(name);
  return !name.empty() && found != wanted.end() && found->second;
}

NameVerdict accept_names(Document& document, const crd::Crd& crd, const TakenNames& taken) {
  const crd::Names& wanted = crd.names();
  const crd::Names& had = crd.accepted_names();
  Arena& arena = document.arena();
  NameVerdict verdict{.accepted = true, .reason = "NoConflicts", .message = "no conflicts found"};
  Value accepted = Value::object({});
  const auto refuse = [&](std::string_view reason, std::string_view name) {
    verdict = {.accepted = false,
               .reason = std::string(reason),
               .message = fmt::format("\"{}\" is already in use", name)};
  };
  const auto part = [&](std::string_view key, std::string_view want, std::string_view before,
                        bool is_taken, std::string_view reason, bool always) {
    std::string_view name = want;
    if (is_taken) {
      refuse(reason, want);
      name = before;
    }
    if (always || !name.empty()) accepted.set(key, Value::string(arena.copy(name)), arena);
  };
  part("plural", wanted.plural, had.plural, taken.has_resource(wanted.plural), "PluralConflict",
       true);
  part("singular", wanted.singular, had.singular, taken.has_resource(wanted.singular),
       "SingularConflict", false);
  std::vector<std::string_view> short_names = wanted.short_names;
  for (const std::string_view one : wanted.short_names) {
    if (!taken.has_resource(one)) continue;
    refuse("ShortNamesConflict", one);
    short_names = had.short_names;
  }
  if (!short_names.empty()) accepted.set("shortNames", list_of(short_names, arena), arena);
  part("kind", wanted.kind, had.kind, taken.has_kind(wanted.kind), "KindConflict", true);
  part("listKind", wanted.list_kind, had.list_kind, taken.has_kind(wanted.list_kind),
       "ListKindConflict", false);
  if (!wanted.categories.empty())
    accepted.set("categories", list_of(wanted.categories, arena), arena);
  Value* status = document.root().find("status");
  if (status == nullptr || !status->is_object())
    status = &document.root().set("status", Value::object({}), arena);
  status->set("acceptedNames", accepted, arena);
  return verdict;
}

ApprovalVerdict judge_approval(const crd::Crd& crd) {
  constexpr std::string_view kAnnotation = "api-approved.kubernetes.io";
  constexpr std::string_view kSee = "see https://github.com/kubernetes/enhancements/pull/1111";
  const std::string_view group = crd.group();
  ApprovalVerdict out;
  out.needed = group == "k8s.io" || group == "kubernetes.io" || group.ends_with(".k8s.io") ||
               group.ends_with(".kubernetes.io");
  if (!out.needed) return out;
  const std::string_view text = crd.metadata().annotation(kAnnotation);
  const std::size_t scheme = text.find("://");
  if (text.empty()) {
    out.reason = "MissingAnnotation";
    out.message =
        fmt::format("protected groups must have approval annotation \"{}\", {}", kAnnotation, kSee);
  } else if (text.starts_with("unapproved")) {
    out.reason = "UnapprovedAnnotation";
    out.message = fmt::format("not approved: \"{}\"", text);
  } else if (scheme != std::string_view::npos && scheme > 0 && text.size() > scheme + 3) {
    out.approved = true;
    out.reason = "ApprovedAnnotation";
    out.message = fmt::format("approved in {}", text);
  } else {
    out.reason = "InvalidAnnotation";
    out.message = fmt::format(
        "protected groups must have approval annotation \"{}\" with either a URL or a reason "
        "starting with "
        "\"unapproved\", {}",
        kAnnotation, kSee);
  }
  return out;
}

}  // namespace strake::api
