#include "schema/loose/pending_issue.h"

#include <fmt/format.h>

#include <algorithm>

#include "value/json_writer.h"

// A branch of oneOf may find many issues and be dropped in the end, so finding one must be cheap.
// What is kept is the code, the schema node, the keyword and a path that shares its front with
// others. Words are made by to_issue(), only for issues that are reported.

namespace strake::schema::loose {
namespace {

std::string quoted_text(std::string_view text) {
  std::string out;
  value::write_json_string(text, out, false);
  return out;
}

std::string type_names(std::uint8_t set, bool json) {
  static constexpr std::pair<std::uint8_t, std::string_view> kNames[] = {
      {types::kArray, "array"},  {types::kBoolean, "boolean"}, {types::kInteger, "integer"},
      {types::kNull, "null"},    {types::kNumber, "number"},   {types::kObject, "object"},
      {types::kString, "string"}};
  std::string out;
  for (const auto& [bit, name] : kNames) {
    if ((set & bit) == 0) continue;
    if (!out.empty()) out += json ? "," : " or ";
    out += json ? quoted_text(name) : std::string(name);
  }
  return json ? fmt::format("[{}]", out) : out;
}

std::vector<const FieldPath::Step*> steps_of(const PathPtr& path) {
  std::vector<const FieldPath::Step*> steps;
  for (const PathNode* at = path.get(); at != nullptr; at = at->up.get())
    steps.push_back(&at->step);
  std::ranges::reverse(steps);
  return steps;
}

int compare_steps(const FieldPath::Step& a, const FieldPath::Step& b) {
  const bool a_index = a.kind == FieldPath::Kind::kIndex;
  const bool b_index = b.kind == FieldPath::Kind::kIndex;
  if (a_index != b_index) return a_index ? -1 : 1;
  if (a_index) return a.index < b.index ? -1 : (a.index > b.index ? 1 : 0);
  return a.name.compare(b.name);
}

// Indexes before names, then by value; a path comes before those below it. Shared steps are one
// object and need no comparison.
int compare_paths(const PathPtr& a, const PathPtr& b) {
  if (a == b) return 0;
  const auto x = steps_of(a);
  const auto y = steps_of(b);
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (x[i] == y[i]) continue;
    if (const int order = compare_steps(*x[i], *y[i]); order != 0) return order;
  }
  return x.size() < y.size() ? -1 : (x.size() > y.size() ? 1 : 0);
}

std::string bound_text(const PendingIssue& pending) {
  const BoundRules& bounds = *pending.node->bounds;
  if (pending.keyword == "minimum") return bounds.minimum->text;
  if (pending.keyword == "maximum") return bounds.maximum->text;
  if (pending.keyword == "exclusiveMinimum") return bounds.exclusive_minimum->text;
  if (pending.keyword == "exclusiveMaximum") return bounds.exclusive_maximum->text;
  return bounds.multiple_of->text;
}

std::string_view unit_of(std::string_view keyword) {
  if (keyword.ends_with("Length")) return "characters";
  if (keyword.ends_with("Properties")) return "properties";
  return keyword.ends_with("Contains") || keyword == "contains" ? "matching items" : "items";
}

// Fills in message, hint and params by code.
void describe(const PendingIssue& pending, Issue& issue) {
  const auto param = [&](std::string name, std::string json) {
    issue.params.emplace_back(std::move(name), std::move(json));
  };
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  switch (pending.code) {
    case IssueCode::kInvalidType: {
      const auto wanted = static_cast<std::uint8_t>(pending.first);
      issue.message = fmt::format("expected {}, got {}", type_names(wanted, false), pending.text);
      param("expected", type_names(wanted, true));
      param("got", quoted_text(pending.text));
      return;
    }
    case IssueCode::kRequired:
      issue.message = pending.keyword == "dependentRequired" || pending.keyword == "dependencies"
                          ? fmt::format("missing property {}, which others here need",
                                        quoted_text(pending.text))
                          : fmt::format("missing property {}", quoted_text(pending.text));
      param("property", quoted_text(pending.text));
      return;
    case IssueCode::kUnknownKey:
      issue.message = fmt::format("unknown property {}", quoted_text(pending.text));
      issue.forbidden = !pending.keyword.empty();
      param("key", quoted_text(pending.text));
      return;
    case IssueCode::kDuplicateItem: {
      FieldPath first;
      for (const FieldPath::Step* step : steps_of(pending.path->up)) {
        step->kind == FieldPath::Kind::kIndex ? first.push_index(step->index)
                                              : first.push_field(step->name);
      }
      first.push_index(pending.first);
      issue.message = pending.text.empty()
                          ? "duplicate element"
                          : fmt::format("duplicate element in list keyed by {}",
                                        fmt::join(pending.node->array->map_keys, ", "));
      issue.hint = fmt::format("first at {}", first.to_pointer());
      param("firstIndex", number(pending.first));
      param("index", number(pending.second));
      if (!pending.text.empty()) param("keys", pending.text);
      return;
    }
    case IssueCode::kTooSmall:
    case IssueCode::kTooBig: {
      const bool small = pending.code == IssueCode::kTooSmall;
      const bool exclusive = pending.keyword.starts_with("exclusive");
      if (pending.keyword == "format") {
        issue.message =
            fmt::format("does not fit {}, got {}", pending.node->format_text, pending.text);
        param("format", quoted_text(pending.node->format_text));
      } else {
        issue.message = fmt::format(
            "must be {} {}, got {}",
            small ? (exclusive ? "above" : "at least") : (exclusive ? "below" : "at most"),
            bound_text(pending), pending.text);
        param("exclusive", exclusive ? "true" : "false");
        param(small ? "minimum" : "maximum", bound_text(pending));
      }
      param("got", pending.text);
      return;
    }
    case IssueCode::kNotMultiple:
      issue.message =
          fmt::format("must be a multiple of {}, got {}", bound_text(pending), pending.text);
      param("got", pending.text);
      param("multipleOf", bound_text(pending));
      return;
    case IssueCode::kTooShort:
    case IssueCode::kTooLong: {
      const bool few = pending.code == IssueCode::kTooShort;
      const std::string_view unit = unit_of(pending.keyword);
      issue.message = fmt::format("must have at {} {} {}, got {}", few ? "least" : "most",
                                  pending.first, unit, pending.second);
      issue.hint = pending.text;
      param("got", number(pending.second));
      param(few ? "min" : "max", number(pending.first));
      param("unit", quoted_text(unit));
      return;
    }
    case IssueCode::kPattern: {
      const std::string& pattern =
          pending.keyword == "pattern" ? pending.node->text->pattern_text : pending.text;
      issue.message = fmt::format("must match the pattern {}", pattern);
      param("pattern", quoted_text(pattern));
      return;
    }
    case IssueCode::kInvalidEnum: {
      const ValueRules& rules =
          pending.keyword == "const" ? *pending.node->constant : *pending.node->values;
      issue.message =
          rules.is_const
              ? fmt::format(
                    "must be {}",
                    std::string_view(rules.allowed_text).substr(1, rules.allowed_text.size() - 2))
              : fmt::format("must be one of {}", rules.allowed_text);
      param("allowed", rules.allowed_text);
      if (!pending.text.empty()) param("got", pending.text);
      return;
    }
    case IssueCode::kInvalidFormat:
      issue.message = pending.keyword == "format"
                          ? fmt::format("must be of format {}", pending.node->format_text)
                          : pending.text;
      if (pending.keyword == "format") param("format", quoted_text(pending.node->format_text));
      return;
    case IssueCode::kUnionAmbiguous:
      issue.message =
          fmt::format("must match exactly one branch of oneOf, matches {}", pending.first);
      param("matched", pending.text);
      return;
    case IssueCode::kNoMatch:
      issue.message = fmt::format("matches no branch of {}", pending.keyword);
      return;
    case IssueCode::kNotAllowed:
      issue.message = pending.keyword == "not" ? "must not match the schema of not"
                                               : "no value is allowed here";
      return;
    case IssueCode::kDiscriminatorMissing:
      issue.message = fmt::format("missing discriminator {}",
                                  quoted_text(pending.node->discriminator->property));
      param("property", quoted_text(pending.node->discriminator->property));
      return;
    case IssueCode::kDiscriminatorUnknown: {
      std::string allowed;
      for (const auto& [name, index] : pending.node->discriminator->branches) {
        if (!allowed.empty()) allowed += ',';
        allowed += quoted_text(name);
      }
      issue.message = fmt::format("discriminator {} names no branch, got {}",
                                  quoted_text(pending.node->discriminator->property),
                                  quoted_text(pending.text));
      param("allowed", fmt::format("[{}]", allowed));
      param("property", quoted_text(pending.node->discriminator->property));
      return;
    }
    case IssueCode::kParseError:
      issue.message = fmt::format("nested deeper than {}", pending.first);
      param("at", number(pending.first));
      param("limit", "\"depth\"");
      return;
    case IssueCode::kTruncated:
      if (pending.text == "buffer") {
        issue.message =
            fmt::format("stopped: {} needs more than {} bytes", pending.keyword, pending.first);
        param("limit", quoted_text(pending.text));
        return;
      }
      issue.message =
          fmt::format("{} issues were found, not all of them are listed", pending.first);
      param("limit", quoted_text(pending.text));
      param("total", number(pending.first));
      return;
    case IssueCode::kBufferExceeded:
      issue.message = fmt::format("{} was not checked: it needs more than {} bytes",
                                  pending.keyword, pending.first);
      param("limit", number(pending.first));
      return;
    case IssueCode::kSchemaInvalid:
      issue.message = "the schema refers back to itself for the same value";
      return;
    default:  // not found by this engine
      issue.message = pending.text;
      return;
  }
}

}  // namespace

PathNode::~PathNode() {
  // Otherwise a deep path would be freed by recursion.
  PathPtr next = std::move(up);
  while (next != nullptr && next.use_count() == 1) {
    PathPtr above = next->up;
    next = std::move(above);
  }
}

Issue to_issue(const PendingIssue& pending) {
  Issue issue;
  issue.code = pending.code;
  issue.severity = pending.severity;
  for (const FieldPath::Step* step : steps_of(pending.path)) {
    switch (step->kind) {
      case FieldPath::Kind::kIndex: issue.path.push_index(step->index); break;
      case FieldPath::Kind::kKey: issue.path.push_key(step->name); break;
      case FieldPath::Kind::kField: issue.path.push_field(step->name); break;
    }
  }
  if (pending.node != nullptr) {
    issue.schema_path = pending.node->path;
    if (!pending.keyword.empty()) issue.schema_path.append("/").append(pending.keyword);
  }
  describe(pending, issue);
  if (pending.branch != nullptr) {
    for (const PendingIssue& nested : *pending.branch) issue.branch.push_back(to_issue(nested));
  }
  return issue;
}

// A total order over everything that shows in a report: the report must not depend on the order in
// which branches were tried or parts of a stream came.
bool comes_before(const PendingIssue& a, const PendingIssue& b) {
  if (const int order = compare_paths(a.path, b.path); order != 0) return order < 0;
  if (a.code != b.code) return to_string(a.code) < to_string(b.code);
  if (a.node != b.node && a.node != nullptr && b.node != nullptr) {
    if (a.node->path != b.node->path) return a.node->path < b.node->path;
  }
  if (a.keyword != b.keyword) return a.keyword < b.keyword;
  if (a.text != b.text) return a.text < b.text;
  return std::pair(a.first, a.second) < std::pair(b.first, b.second);
}

void PendingIssues::add(PendingIssue pending, std::size_t most) {
  ++total_;
  kept_.push_back(std::move(pending));
  // Half of what is held goes at once, so that an issue costs constant time on average and memory
  // stays within twice the limit. nth_element keeps the first ones without sorting.
  if (kept_.size() > 2 * most + 16) {
    std::ranges::nth_element(kept_, kept_.begin() + static_cast<std::ptrdiff_t>(most),
                             comes_before);
    kept_.resize(most);
  }
}

void PendingIssues::add_all(const PendingIssues& others, std::size_t most) {
  for (const PendingIssue& pending : others.kept_) add(pending, most);
  total_ += others.total_ - others.kept_.size();
}

std::vector<PendingIssue> PendingIssues::sorted(std::size_t most) const {
  std::vector<PendingIssue> out = kept_;
  std::ranges::sort(out, comes_before);
  if (out.size() > most) out.resize(most);
  return out;
}

}  // namespace strake::schema::loose
