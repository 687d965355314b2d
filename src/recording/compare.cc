#include "recording/compare.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "base/sha256.h"
#include "recording/normal_form.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::recording {
namespace {

using value::Document;
using value::text_of;
using value::Value;

constexpr std::size_t kMostOvertaking = 5;  // of each side

Document read_body(const Body& body) {
  if (body.form != Body::Form::kJson) return {};
  value::ReadOptions options;
  options.numbers = value::NumberPolicy::kLiteral;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.limits.depth = 1000;
  auto out = value::read_json_borrowed(body.text, options);
  return out ? *std::move(out) : Document();
}

GeneratedNames names_of(const Recording& recording) {
  GeneratedNames out;
  for (const Exchange& one : recording.exchanges) note_names(one, out);
  return out;
}

std::string normal_body(const Body& body, const GeneratedNames& names) {
  switch (body.form) {
    case Body::Form::kNone: return {};
    case Body::Form::kJson: return normal_json(read_body(body).root(), names);
    case Body::Form::kText: return normal_text(body.text, names);
    case Body::Form::kBytes:
    case Body::Form::kDigest: break;
  }
  return body.form == Body::Form::kBytes ? "sha256:" + sha256_hex(body.text)
                                         : "sha256:" + body.text;
}

// One of them may have been too large to be kept.
bool same_body(const Body& a, const Body& b, const GeneratedNames& a_names,
               const GeneratedNames& b_names) {
  const auto is_digest = [](const Body& body) { return body.form == Body::Form::kDigest; };
  const auto is_unknown = [&](const Body& body) { return is_digest(body) && body.text.empty(); };
  if (is_unknown(a) || is_unknown(b)) return true;
  if (is_digest(a) == is_digest(b)) return normal_body(a, a_names) == normal_body(b, b_names);
  const Body& kept = is_digest(a) ? b : a;
  const Body& digest = is_digest(a) ? a : b;
  if (kept.form != Body::Form::kJson) return sha256_hex(kept.text) == digest.text;
  return sha256_hex(normal_json(read_body(kept).root(), {})) == digest.text;
}

std::string shortened(std::string text) {
  constexpr std::size_t kMost = 100;
  if (text.size() > kMost) text = text.substr(0, kMost - 3) + "...";
  return text;
}

// How messages call the two.
struct Names {
  std::string_view a = "in A";
  std::string_view b = "in B";
};

// The values that differ, a line for each.
class Details {
 public:
  explicit Details(Names names) : names_(names) {}
  // "body", what it is in one, what it is in the other.
  void add(std::string_view what, std::string_view a, std::string_view b) {
    add(fmt::format("{}: {} {}, {} {}", what, a, names_.a, b, names_.b));
  }
  void compare(const Value* a, const Value* b) { walk(a, b, FieldPath()); }
  void add(std::string line) {
    if (lines_.size() < kMost) return lines_.push_back(std::move(line));
    ++more_;
  }
  std::vector<std::string> take() && {
    if (more_ > 0) lines_.push_back(fmt::format("and {} more", more_));
    return std::move(lines_);
  }

 private:
  static constexpr std::size_t kMost = 8;
  static std::string shown(const Value* value) {
    return value == nullptr ? "nothing" : shortened(value::to_json(*value, {.escape_html = false}));
  }
  void walk(const Value* a, const Value* b, const FieldPath& at) {
    if (a != nullptr && b != nullptr) {
      if (value::identical(*a, *b)) return;
      if (a->is_object() && b->is_object()) return walk_objects(*a, *b, at);
      if (a->is_array() && b->is_array()) return walk_arrays(*a, *b, at);
    }
    add(at.to_dotted(), shown(a), shown(b));
  }
  void walk_objects(const Value& a, const Value& b, const FieldPath& at) {
    std::set<std::string_view> keys;
    for (const value::Member& one : a.members()) keys.insert(one.key);
    for (const value::Member& one : b.members()) keys.insert(one.key);
    for (const std::string_view key : keys) walk(a.find(key), b.find(key), at / key);
  }
  void walk_arrays(const Value& a, const Value& b, const FieldPath& at) {
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
      walk(i < a.size() ? &a.items()[i] : nullptr, i < b.size() ? &b.items()[i] : nullptr, at / i);
  }

  const Names names_;
  std::vector<std::string> lines_;
  std::size_t more_ = 0;
};

void compare_bodies(Details& details, const Body& a, const Body& b, const GeneratedNames& a_names,
                    const GeneratedNames& b_names) {
  if (a.form == Body::Form::kJson && b.form == Body::Form::kJson) {
    const auto a_normal = value::read_json(normal_body(a, a_names));
    const auto b_normal = value::read_json(normal_body(b, b_names));
    if (a_normal && b_normal) return details.compare(&a_normal->root(), &b_normal->root());
  }
  const auto shown = [](const Body& body, const GeneratedNames& names) {
    return body.form == Body::Form::kDigest ? fmt::format("{} bytes", body.bytes)
                                            : shortened(normal_body(body, names));
  };
  details.add("body", shown(a, a_names), shown(b, b_names));
}

// An event of a watch, by the object that it is about.
struct NormalEvent {
  std::string object;
  std::string text;
  const Body* body;
};

std::vector<NormalEvent> normal_events(const Exchange& exchange, const GeneratedNames& names) {
  std::vector<NormalEvent> out;
  for (const EventLine& event : exchange.events) {
    const Document document = read_body(event.body);
    // When they come is a matter of time.
    if (text_of(document.root(), "type") == "BOOKMARK") continue;
    const Value& metadata = document.root().get("object").get("metadata");
    out.push_back({.object = normal_text(fmt::format("{}/{}", text_of(metadata, "namespace"),
                                                     text_of(metadata, "name")),
                                         names),
                   .text = normal_body(event.body, names),
                   .body = &event.body});
  }
  return out;
}

// Protobuf is recorded, and sent again, as JSON.
std::string_view normal_type(const RequestLine& line) {
  if (line.content_type.contains("protobuf")) return "application/json";
  return line.content_type;
}

// Two recordings with what is compared of them.
struct Side {
  const Recording& recording;
  const GeneratedNames names;
  std::vector<std::string> requests = {};  // in normal form
  // Of each exchange, which connection of its program it came by, from 1.
  std::vector<std::size_t> connections = {};

  explicit Side(const Recording& of) : recording(of), names(names_of(of)) {
    std::map<std::string, std::map<std::uint64_t, std::size_t>> known;
    for (const Exchange& one : of.exchanges) {
      const RequestLine& line = one.request;
      requests.push_back(fmt::format("{} {}?{} {} {}", line.method, normal_text(line.path, names),
                                     normal_query(line.query, names), normal_type(line),
                                     normal_body(line.body, names)));
      auto& of_program = known[line.agent];
      connections.push_back(
          of_program.try_emplace(line.connection, of_program.size() + 1).first->second);
    }
  }
  const Exchange& at(std::size_t place) const { return recording.exchanges[place]; }
  std::size_t size() const { return recording.exchanges.size(); }
};

// Events that one of them has and the other does not have yet are no difference: when a watch ends
// is a matter of time.
bool compare_events(Details& details, const Exchange& a, const Exchange& b,
                    const GeneratedNames& a_names, const GeneratedNames& b_names,
                    bool in_one_order) {
  std::map<std::string, std::vector<const NormalEvent*>> by_object;
  const std::vector<NormalEvent> a_events = normal_events(a, a_names);
  const std::vector<NormalEvent> b_events = normal_events(b, b_names);
  for (const NormalEvent& one : a_events)
    by_object[in_one_order ? std::string() : one.object].push_back(&one);
  std::map<std::string, std::size_t> told;
  bool same = true;
  for (const NormalEvent& one : b_events) {
    const std::string key = in_one_order ? std::string() : one.object;
    const auto& others = by_object[key];
    const std::size_t place = told[key]++;
    if (place >= others.size() || others[place]->text == one.text) continue;
    if (std::exchange(same, false))
      details.add(fmt::format("event {} of {}:", place + 1, one.object));
    compare_bodies(details, *others[place]->body, *one.body, a_names, b_names);
    break;
  }
  return same;
}

std::optional<Difference> compare_answers(const Exchange& a, const Exchange& b,
                                          const GeneratedNames& a_names,
                                          const GeneratedNames& b_names, bool one_event_order,
                                          Names names) {
  Details details(names);
  const auto differ = [&](Difference::Kind kind) {
    return Difference{.kind = kind, .a = {}, .b = {}, .details = std::move(details).take()};
  };
  if (!a.answer || !b.answer) {
    if (a.answer.has_value() == b.answer.has_value()) return std::nullopt;
    const auto shown = [](const Exchange& one) { return one.answer ? "given" : "not waited for"; };
    details.add("answer", shown(a), shown(b));
    return differ(Difference::Kind::kAnswer);
  }
  if (a.answer->status != b.answer->status)
    details.add("status", fmt::format("{}", a.answer->status), fmt::format("{}", b.answer->status));
  const bool same = same_body(a.answer->body, b.answer->body, a_names, b_names);
  if (!same) compare_bodies(details, a.answer->body, b.answer->body, a_names, b_names);
  if (!same || a.answer->status != b.answer->status) return differ(Difference::Kind::kAnswer);
  if (!compare_events(details, a, b, a_names, b_names, one_event_order))
    return differ(Difference::Kind::kEvents);
  return std::nullopt;
}

// What has to be in order among themselves.
enum class Grouping : std::uint8_t { kAll, kConnection, kProgram, kObject };

std::string group_of(const Side& side, std::size_t place, Grouping grouping) {
  const RequestLine& line = side.at(place).request;
  switch (grouping) {
    case Grouping::kAll: return {};
    case Grouping::kConnection: return fmt::format("{} {}", side.connections[place], line.agent);
    case Grouping::kProgram: return line.agent;
    case Grouping::kObject:
      return fmt::format("{} {}", line.agent, normal_text(line.path, side.names));
  }
  return {};
}

struct Group {
  std::vector<std::size_t> a;
  std::vector<std::size_t> b;
};

std::optional<Difference> first_of_group(const Side& a, const Side& b, const Group& group,
                                         bool one_event_order) {
  for (std::size_t i = 0; i < std::max(group.a.size(), group.b.size()); ++i) {
    Difference out;
    if (i < group.a.size()) out.a = group.a[i];
    if (i < group.b.size()) out.b = group.b[i];
    if (!out.a || !out.b) {
      // What came after a recording was full is not known.
      if (out.a ? b.recording.full : a.recording.full) return std::nullopt;
      out.kind = Difference::Kind::kMissing;
      return out;
    }
    if (a.requests[*out.a] != b.requests[*out.b]) {
      const auto later = [](const Side& in, const std::vector<std::size_t>& places,
                            std::size_t from,
                            const std::string& what) -> std::optional<std::size_t> {
        for (std::size_t k = from; k < places.size(); ++k)
          if (in.requests[places[k]] == what) return places[k];
        return std::nullopt;
      };
      out.a_in_b = later(b, group.b, i, a.requests[*out.a]);
      out.b_in_a = later(a, group.a, i, b.requests[*out.b]);
      const RequestLine& in_a = a.at(*out.a).request;
      const RequestLine& in_b = b.at(*out.b).request;
      // The same call with another body shows what of it differs.
      if (in_a.method == in_b.method &&
          normal_text(in_a.path, a.names) == normal_text(in_b.path, b.names) && !out.a_in_b) {
        Details details((Names()));
        const std::string a_query = normal_query(in_a.query, a.names);
        const std::string b_query = normal_query(in_b.query, b.names);
        if (normal_type(in_a) != normal_type(in_b))
          details.add("content type", normal_type(in_a), normal_type(in_b));
        if (a_query != b_query) details.add("query", a_query, b_query);
        if (!same_body(in_a.body, in_b.body, a.names, b.names))
          compare_bodies(details, in_a.body, in_b.body, a.names, b.names);
        out.details = std::move(details).take();
      }
      return out;
    }
    if (auto found = compare_answers(a.at(*out.a), b.at(*out.b), a.names, b.names, one_event_order,
                                     Names())) {
      found->a = out.a;
      found->b = out.b;
      return found;
    }
  }
  return std::nullopt;
}

// The difference that arrived first, in either.
std::optional<Difference> first_difference(const Side& a, const Side& b, Grouping grouping) {
  std::map<std::string, Group> groups;
  for (std::size_t i = 0; i < a.size(); ++i) groups[group_of(a, i, grouping)].a.push_back(i);
  for (std::size_t i = 0; i < b.size(); ++i) groups[group_of(b, i, grouping)].b.push_back(i);
  static constexpr std::size_t kNowhere = SIZE_MAX;
  const auto place = [](const Difference& one) {
    return std::tuple(std::min(one.a.value_or(kNowhere), one.b.value_or(kNowhere)),
                      one.a.value_or(kNowhere));
  };
  std::optional<Difference> out;
  for (const auto& [name, group] : groups) {
    auto found = first_of_group(a, b, group, grouping == Grouping::kAll);
    if (found && (!out || place(*found) < place(*out))) out = std::move(found);
  }
  return out;
}

std::optional<Difference> first_difference(const Side& a, const Side& b, Order order) {
  switch (order) {
    case Order::kArrival: return first_difference(a, b, Grouping::kAll);
    case Order::kObject: return first_difference(a, b, Grouping::kObject);
    case Order::kClient: break;
  }
  auto out = first_difference(a, b, Grouping::kConnection);
  if (!out) return out;
  auto of_programs = first_difference(a, b, Grouping::kProgram);
  if (!of_programs) return of_programs;
  // Connections that were used differently say nothing about the programs.
  const auto connections = [](const Side& side) {
    std::map<std::string, std::size_t> most;
    for (std::size_t i = 0; i < side.size(); ++i) {
      std::size_t& count = most[side.at(i).request.agent];
      count = std::max(count, side.connections[i]);
    }
    return most;
  };
  return connections(a) == connections(b) ? std::move(out) : std::move(of_programs);
}

// Requests of others that one of them has before the difference, and the other has not.
std::vector<Overtaking> find_overtaking(const Side& a, const Side& b, const Difference& at) {
  const std::string& agent =
      at.a ? a.at(*at.a).request.agent : b.at(at.b.value_or(0)).request.agent;
  const auto before = [&](const Side& side, std::size_t until) {
    std::unordered_map<std::string, std::vector<std::size_t>> out;
    for (std::size_t i = 0; i < std::min(until, side.size()); ++i) {
      if (side.at(i).request.agent != agent)
        out[side.at(i).request.agent + side.requests[i]].push_back(i);
    }
    return out;
  };
  const auto in_a = before(a, at.a.value_or(a.size()));
  const auto in_b = before(b, at.b.value_or(b.size()));
  std::vector<Overtaking> out;
  const auto add_more = [&](const auto& these, const auto& others, bool of_a) {
    std::vector<std::size_t> places;
    for (const auto& [key, found] : these) {
      const auto same = others.find(key);
      const std::size_t matched = same == others.end() ? 0 : same->second.size();
      for (std::size_t i = matched; i < found.size(); ++i) places.push_back(found[i]);
    }
    std::ranges::sort(places);
    const std::size_t skip = places.size() - std::min(places.size(), kMostOvertaking);
    for (std::size_t i = skip; i < places.size(); ++i)
      out.push_back({.in_a = of_a, .place = places[i]});
  };
  add_more(in_a, in_b, true);
  add_more(in_b, in_a, false);
  return out;
}

}  // namespace

Comparison compare(const Recording& a, const Recording& b, Order order) {
  const Side a_side(a);
  const Side b_side(b);
  Comparison out;
  for (const Order one : {Order::kArrival, Order::kClient, Order::kObject}) {
    std::optional<Difference> found = first_difference(a_side, b_side, one);
    if (one == Order::kArrival && found)
      out.other_arrival = std::min(found->a.value_or(SIZE_MAX), found->b.value_or(SIZE_MAX));
    if (!found && !out.agree_by) out.agree_by = one;
    if (one == order && found) {
      out.overtaking = find_overtaking(a_side, b_side, *found);
      out.first = std::move(found);
    }
  }
  return out;
}

std::optional<Difference> compare(const Exchange& then, const GeneratedNames& names_then,
                                  const Exchange& now, const GeneratedNames& names_now) {
  return compare_answers(then, now, names_then, names_now, false, {.a = "then", .b = "now"});
}

void note_names(const Exchange& exchange, GeneratedNames& names) {
  if (exchange.answer) names.note(read_body(exchange.answer->body).root());
  for (const EventLine& event : exchange.events) names.note(read_body(event.body).root());
}

}  // namespace strake::recording
