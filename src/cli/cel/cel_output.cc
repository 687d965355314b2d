#include "cli/cel/cel_output.h"

#include <algorithm>
#include <cmath>

#include "base/base64.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "cel/syntax/operators.h"
#include "cel/value/containers.h"
#include "cel/value/format_value.h"
#include "cel/value/time.h"
#include "cli/cel/cel_outline.h"
#include "cli/io/terminal.h"
#include "rules/crd_rules.h"
#include "rules/walk.h"

namespace strake::cli {
namespace {

constexpr std::size_t kShownSource = 52;  // columns of a sub-expression
constexpr std::size_t kShownValue = 72;
constexpr std::size_t kShownRounds = 4;  // values of a part that a loop runs again and again

// At most `columns` code points, the last of them an ellipsis when something was cut.
std::string shortened(std::string_view text, std::size_t columns) {
  if (utf8::count(text) <= columns) return std::string(text);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i + 1 < columns; ++i) bytes += utf8::decode(text.substr(bytes)).width;
  return std::string(text.substr(0, bytes)) + "…";
}

std::string padded(std::string text, std::size_t columns) {
  const std::size_t have = utf8::count(text);
  if (have < columns) text.append(columns - have, ' ');
  return text;
}

std::string label(const CelPart& part) {
  return printable(std::string(2 * (part.depth + 1), ' ') + shortened(part.text, kShownSource));
}

std::size_t widest(const std::vector<CelPart>& parts) {
  std::size_t out = 0;
  for (const CelPart& part : parts) out = std::max(out, utf8::count(label(part)));
  return out;
}

value::Value text_node(std::string_view text, Arena& arena) {
  return value::Value::string(arena.copy(text));
}

value::Value list_node(const cel::Value& list, Arena& arena) {
  const auto size = static_cast<std::size_t>(cel::list_size(list));
  auto* items = arena.allocate_array<value::Value>(size);
  std::size_t count = 0;
  for (cel::Cursor c(list, arena); !c.done(); c.next()) items[count++] = to_node(c.item(), arena);
  return value::Value::array({items, count});
}

value::Value map_node(const cel::Value& map, Arena& arena) {
  std::vector<value::Member> members;
  for (cel::Cursor c(map, arena); !c.done(); c.next()) {
    members.push_back({arena.copy(cel::to_text(c.item(), arena)), to_node(c.value(), arena)});
  }
  std::ranges::sort(members, {}, &value::Member::key);
  // 1 and "1" are two keys to CEL and one to JSON.
  const auto repeated = std::ranges::unique(members, {}, &value::Member::key);
  members.erase(repeated.begin(), repeated.end());
  auto* kept = arena.allocate_array<value::Member>(members.size());
  std::ranges::copy(members, kept);
  return value::Value::object({kept, members.size()});
}

value::Value object_node(const cel::Value& v, Arena& arena) {
  const auto text = v.as_object()->text(arena);
  return text_node(text ? *text : cel::to_literal(v, arena), arena);
}

// The values of every node of one evaluation.
class Recorder final : public cel::Observer {
 public:
  struct Seen {
    std::uint64_t count = 0;
    std::vector<cel::Value> first;
    cel::Value last;
  };

  explicit Recorder(std::uint32_t last_id) : seen_(last_id + 1) {}
  void on_value(std::uint32_t id, const cel::Value& value) override {
    if (id >= seen_.size()) return;
    Seen& seen = seen_[id];
    ++seen.count;
    if (seen.first.size() < kShownRounds) seen.first.push_back(value);
    seen.last = value;
  }
  const Seen& of(const cel::Expr* e) const { return seen_[e->id]; }

 private:
  std::vector<Seen> seen_;
};

class Trace {
 public:
  Trace(const CelExpression& expression, bool color)
      : expression_(expression),
        color_(color),
        parts_(outline(expression.ast)),
        recorder_(expression.ast.last_id) {
    // Constants are computed anew here, so the limit is not quite that of the real run.
    cel::CostTracker cost{.limit = 2 * rules::kCallCostLimit};
    expression.observable.evaluate(
        {.variables = expression.variables, .cost = &cost, .observer = &recorder_}, arena_);
  }

  std::string render() {
    std::string out = picture();
    const std::size_t width = widest(parts_);
    for (const CelPart& part : parts_) {
      if (part.expr->kind == cel::ExprKind::kLiteral && part.depth > 0) continue;
      out += fmt::format("{}  {}\n", padded(label(part), width), values(part));
    }
    return out;
  }

 private:
  std::string value_text(const cel::Value& v) {
    if (v.is_error()) {
      return paint(color_, Tone::kBad, printable(fmt::format("error: {}", v.as_error().message)));
    }
    const std::string text = printable(shortened(cel::to_literal(v, arena_), kShownValue));
    return v.is_false() ? paint(color_, Tone::kBad, text) : text;
  }

  std::string values(const CelPart& part) {
    const Recorder::Seen& seen = recorder_.of(part.expr);
    if (seen.count == 0) return paint(color_, Tone::kDim, "not evaluated");
    if (seen.count == 1) return value_text(seen.last);
    std::string out;
    for (const cel::Value& v : seen.first) {
      if (!out.empty()) out += ", ";
      out += value_text(v);
    }
    if (seen.count > kShownRounds) {
      out += seen.count > kShownRounds + 1 ? ", …, " : ", ";
      out += value_text(seen.last);
    }
    return out + paint(color_, Tone::kDim, fmt::format("  ({} times)", seen.count));
  }

  // The innermost part that decided: an operand of && that is false, the branch that was taken, the
  // part that failed first.
  const CelPart& decisive() const {
    const CelPart* at = &parts_.front();
    while (const CelPart* next = inner_cause(*at)) at = next;
    return *at;
  }

  const CelPart* inner_cause(const CelPart& part) const {
    const cel::Value& value = recorder_.of(part.expr).last;
    const cel::Expr& e = *part.expr;
    const bool call = e.kind == cel::ExprKind::kCall;
    const bool all = e.kind == cel::ExprKind::kComprehension &&
                     e.comprehension->step->kind == cel::ExprKind::kCall &&
                     e.comprehension->step->name == cel::op::kAnd;
    const bool passes_false =
        all || (call && (e.name == cel::op::kAnd || e.name == cel::op::kConditional));
    for (std::size_t i = 0; i < part.children.size(); ++i) {
      const CelPart& child = parts_[part.children[i]];
      const Recorder::Seen& seen = recorder_.of(child.expr);
      if (seen.count == 0) continue;
      if (value.is_error()) {
        const bool same =
            seen.last.is_error() && seen.last.as_error().message == value.as_error().message;
        if (same) return &child;
      } else if (value.is_false() && passes_false && seen.last.is_false()) {
        const bool condition = call && e.name == cel::op::kConditional && i == 0;
        const bool range = all && i == 0;
        if (!condition && !range) return &child;
      }
    }
    return nullptr;
  }

  // The line with the decisive part, underlined.
  std::string picture() {
    const CelPart& part = decisive();
    const cel::Source& source = expression_.ast.source;
    const Position at = source.position(part.begin);
    const std::string line = printable(source.line(at.line));
    const std::size_t columns = utf8::count(line);
    const std::size_t start = std::min<std::size_t>(at.column - 1, columns);
    const std::size_t length = std::clamp<std::size_t>(part.end - part.begin, 1,
                                                       std::max<std::size_t>(columns - start, 1));
    const cel::Value& value = recorder_.of(part.expr).last;
    std::string why;
    if (value.is_error()) {
      why = printable(value.as_error().message);
    } else {
      why = "is " + printable(shortened(cel::to_literal(value, arena_), kShownValue));
    }
    return fmt::format(" | {}\n | {}{}\n", line, std::string(start, ' '),
                       paint(color_, Tone::kBad, std::string(length, '^') + " " + why));
  }

  const CelExpression& expression_;
  bool color_;
  std::vector<CelPart> parts_;
  Recorder recorder_;
  Arena arena_;
};

std::string cost_number(std::uint64_t n) {
  return n == cel::kUnbounded ? "unbounded" : fmt::format("{}", n);
}

}  // namespace

value::Value to_node(const cel::Value& v, Arena& arena) {
  if (v.node() != nullptr) return *v.node();
  switch (v.kind()) {
    case cel::Kind::kNull: return {};
    case cel::Kind::kBool: return value::Value::boolean(v.as_bool());
    case cel::Kind::kInt: return value::Value::integer(v.as_int());
    case cel::Kind::kUint: return value::Value::unsigned_integer(v.as_uint());
    case cel::Kind::kDouble:
      if (!std::isfinite(v.as_double())) return text_node(cel::to_literal(v, arena), arena);
      return value::Value::number(v.as_double());
    case cel::Kind::kString: return value::Value::string(v.as_text());
    case cel::Kind::kBytes: return text_node(base64_encode(v.as_text()), arena);
    case cel::Kind::kTimestamp: return text_node(format_rfc3339_nano(v.as_timestamp()), arena);
    case cel::Kind::kDuration: return text_node(cel::format_duration(v.as_duration()), arena);
    case cel::Kind::kList: return list_node(v, arena);
    case cel::Kind::kMap: return map_node(v, arena);
    case cel::Kind::kType: return text_node(v.as_type()->name, arena);
    case cel::Kind::kOptional:
      return v.held() == nullptr ? value::Value() : to_node(*v.held(), arena);
    case cel::Kind::kObject: return object_node(v, arena);
    case cel::Kind::kError: return text_node(v.as_error().message, arena);
  }
  return {};
}

std::string types_of(const CelExpression& expression) {
  const std::vector<CelPart> parts = outline(expression.ast);
  const std::size_t width = widest(parts);
  std::string out;
  for (const CelPart& part : parts) {
    out += fmt::format("{}  {}\n", padded(label(part), width), cel::to_string(*part.expr->type));
  }
  return out;
}

std::string cost_text(const CelExpression& expression) {
  const std::uint64_t total = expression.total_cost();
  std::string out = expression.estimate.min == expression.estimate.max
                        ? cost_number(expression.estimate.max)
                        : fmt::format("{} to {}", cost_number(expression.estimate.min),
                                      cost_number(expression.estimate.max));
  if (expression.occurrences != 1) {
    out += fmt::format(" a time, up to {} times an object", expression.occurrences);
  }
  const double factor =
      static_cast<double>(total) / static_cast<double>(rules::kExpressionCostLimit);
  if (total <= rules::kExpressionCostLimit) {
    const std::string share =
        factor < 0.0001 ? "less than 0.01" : fmt::format("{:.2f}", factor * 100);
    out += fmt::format("; {}% of the limit of {}", share, rules::kExpressionCostLimit);
  } else {
    out += fmt::format("; over the limit of {} by a factor of {}", rules::kExpressionCostLimit,
                       factor > 100 ? "more than 100" : fmt::format("{:.1f}", factor));
  }
  return out;
}

std::string trace_of(const CelExpression& expression, bool color) {
  return Trace(expression, color).render();
}

}  // namespace strake::cli
