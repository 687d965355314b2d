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

void TakenNames::add(const crd::Names& names) {
  const auto add_to = [](TextSet& to, std::string_view name) {
    if (!name.empty()) to.emplace(name);
  };
  add_to(resources, names.plural);
  add_to(resources, names.singular);
  for (const std::string_view one : names.short_names) add_to(resources, one);
  add_to(kinds, names.kind);
  add_to(kinds, names.list_kind);
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
                        const TakenNames::TextSet& used, std::string_view reason, bool always) {
    std::string_view name = want;
    if (!want.empty() && used.contains(want)) {
      refuse(reason, want);
      name = before;
    }
    if (always || !name.empty()) accepted.set(key, Value::string(arena.copy(name)), arena);
  };
  part("plural", wanted.plural, had.plural, taken.resources, "PluralConflict", true);
  part("singular", wanted.singular, had.singular, taken.resources, "SingularConflict", false);
  std::vector<std::string_view> short_names = wanted.short_names;
  for (const std::string_view one : wanted.short_names) {
    if (!taken.resources.contains(one)) continue;
    refuse("ShortNamesConflict", one);
    short_names = had.short_names;
  }
  if (!short_names.empty()) accepted.set("shortNames", list_of(short_names, arena), arena);
  part("kind", wanted.kind, had.kind, taken.kinds, "KindConflict", true);
  part("listKind", wanted.list_kind, had.list_kind, taken.kinds, "ListKindConflict", false);
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
