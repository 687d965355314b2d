#include "validate/stream_places.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "validate/extent.h"
#include "validate/phrases.h"
#include "validate/source_text.h"
#include "value/json_reader.h"

namespace strake::validate {
namespace {

using value::Value;

constexpr std::size_t kReadChunk = 256 << 10;
// What is shown of a place fits into this much on either side.
constexpr std::uint64_t kAround = 2048;

// Feeds a parser from the offset until it has enough, or the input ends. What stops it is its own
// matter: errors of the text have been told before.
Result<> feed_from(ByteSource& source, std::uint64_t offset, value::EventSink& sink,
                   const value::ReadOptions& options) {
  if (!source.seek(offset)) return fail(Code::kUnsupported, "{}", say(Phrase::kReadOnce));
  value::JsonPushParser parser(sink, options, value::JsonPushParser::Documents::kMany);
  std::string buffer(kReadChunk, '\0');
  while (true) {
    STRAKE_TRY(const std::size_t count, source.read(buffer));
    if (count == 0) return {};
    if (!parser.feed(std::string_view(buffer).substr(0, count))) return {};
  }
}

class TypeFinder final : public value::EventSink {
 public:
  bool begin_object(const Position&) override { return watch_.begin(), true; }
  bool begin_array(const Position&) override { return watch_.begin(), true; }
  bool end_object(const Position&) override { return watch_.end(), true; }
  bool end_array(const Position&) override { return watch_.end(), true; }
  bool key(std::string_view name, const Position&) override { return watch_.key(name), true; }
  bool scalar(const Value& v, const Position&) override {
    watch_.scalar(v);
    return !watch_.names().complete();
  }
  bool end_document(const Position&) override { return false; }
  const TypeNames& names() const { return watch_.names(); }

 private:
  TypeWatch watch_;
};

// The paths that are looked for, as one tree: most of a large document is passed over without a
// glance.
struct Wanted {
  std::map<std::string, std::unique_ptr<Wanted>, std::less<>> members;
  std::map<std::size_t, std::unique_ptr<Wanted>> elements;
  std::optional<Position> key_at;
  std::optional<Position> value_at;
  std::uint64_t length = 0;  // of an array or object, once it has ended
  bool asked = false;        // for its own sake, and not only as a step on the way
};

class PlaceFinder final : public value::EventSink {
 public:
  PlaceFinder(Wanted& root, std::size_t count) : root_(root), missing_(count) {}

  bool begin_object(const Position& at) override { return begin(true, at); }
  bool begin_array(const Position& at) override { return begin(false, at); }
  bool end_object(const Position& at) override { return end(at); }
  bool end_array(const Position& at) override { return end(at); }
  bool key(std::string_view name, const Position& at) override {
    if (passed_over_ != 0) return true;
    const auto found = open_.back().wanted->members.find(name);
    next_ = found != open_.back().wanted->members.end() ? found->second.get() : nullptr;
    // The first of two was judged.
    if (next_ != nullptr && next_->key_at) next_ = nullptr;
    if (next_ != nullptr) next_->key_at = at;
    return true;
  }
  bool scalar(const Value&, const Position& at) override {
    if (passed_over_ != 0) return true;
    Wanted* here = current();
    ended();
    if (here == nullptr) return true;
    here->value_at = at;
    return found(*here);
  }
  bool end_document(const Position&) override { return false; }

 private:
  struct Open {
    Wanted* wanted;
    bool object;
    std::size_t index;
  };

  // Who wants the value that begins now.
  Wanted* current() {
    if (open_.empty()) return &root_;
    Open& top = open_.back();
    if (top.object) return next_;
    const auto found = top.wanted->elements.find(top.index);
    return found != top.wanted->elements.end() ? found->second.get() : nullptr;
  }

  bool begin(bool object, const Position& at) {
    if (passed_over_ != 0) return ++passed_over_, true;
    Wanted* here = current();
    if (here == nullptr) return ++passed_over_, true;
    open_.push_back({here, object, 0});
    here->value_at = at;
    return true;
  }
  // False when nothing is left to be found.
  bool found(const Wanted& here) {
    missing_ -= here.asked;
    return missing_ > 0;
  }
  bool end(const Position& at) {
    if (passed_over_ != 0) {
      if (--passed_over_ == 0) ended();
      return true;
    }
    Wanted& here = *open_.back().wanted;
    here.length = at.offset + 1 - here.value_at->offset;
    open_.pop_back();
    ended();
    return found(here);
  }
  void ended() {
    if (!open_.empty() && !open_.back().object) ++open_.back().index;
  }

  Wanted& root_;
  Wanted* next_ = nullptr;
  std::vector<Open> open_;
  std::size_t missing_;
  std::size_t passed_over_ = 0;  // open containers that nobody wants
};

// False when it was wanted before.
bool want(Wanted& root, const FieldPath& path) {
  Wanted* here = &root;
  for (const FieldPath::Step& step : path.steps()) {
    std::unique_ptr<Wanted>& next = step.kind == FieldPath::Kind::kIndex
                                        ? here->elements[step.index]
                                        : here->members[step.name];
    if (!next) next = std::make_unique<Wanted>();
    here = next.get();
  }
  return !std::exchange(here->asked, true);
}

// The place itself, or the nearest one around it that is there.
const Wanted& nearest(const Wanted& root, const FieldPath& path) {
  const Wanted* here = &root;
  for (const FieldPath::Step& step : path.steps()) {
    const Wanted* next = step.kind == FieldPath::Kind::kIndex ? here->elements.at(step.index).get()
                                                              : here->members.at(step.name).get();
    if (!next->value_at) break;
    here = next;
  }
  return *here;
}

// Of a JSON text whose opening quote stands at the offset; nothing when it does not end.
std::uint64_t length_of_text(ByteSource& source, std::uint64_t offset) {
  if (!source.seek(offset + 1)) return 0;
  std::string buffer(kReadChunk, '\0');
  std::uint64_t length = 1;
  bool escaped = false;
  while (true) {
    const auto count = source.read(buffer);
    if (!count || *count == 0) return 0;
    for (const char c : std::string_view(buffer).substr(0, *count)) {
      ++length;
      if (c == '"' && !escaped) return length;
      escaped = c == '\\' && !escaped;
    }
  }
}

}  // namespace

void TypeWatch::scalar(const Value& v) {
  if (!v.is_string()) return;
  if (depth_ == 2 && key_ == "metadata") {
    if (inner_key_ == "name") names_.name = v.as_string();
    if (inner_key_ == "namespace") names_.namespace_name = v.as_string();
  }
  if (depth_ != 1) return;
  if (key_ == "apiVersion" && !names_.api_version) names_.api_version = v.as_string();
  if (key_ == "kind" && !names_.kind) names_.kind = v.as_string();
}

Result<TypeNames> find_type(ByteSource& source, std::uint64_t offset,
                            const value::ReadOptions& options) {
  TypeFinder finder;
  STRAKE_CHECK(feed_from(source, offset, finder, options));
  return finder.names();
}

Position moved(const Position& inside, const Position& start) {
  return {.offset = start.offset + inside.offset,
          .line = start.line + inside.line - 1,
          .column = inside.line == 1 ? start.column + inside.column - 1 : inside.column};
}

void show_place(Finding& finding, ByteSource& source) {
  if (!finding.position) return;
  const std::uint64_t offset = finding.position->offset;
  const std::uint64_t start = offset - std::min(offset, kAround);
  if (!source.seek(start)) return;
  std::string text(2 * kAround, '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const auto count = source.read(std::span(text).subspan(filled));
    if (!count || *count == 0) break;
    filled += *count;
  }
  const bool at_end = filled < text.size();
  text.resize(filled);
  const std::uint64_t inside = offset - start;
  const std::uint64_t length = json_extent_at(text, inside);
  finding.fragment = fragment_at(text, inside, length);
  // An end that lies outside of what was read is not known.
  if (at_end || inside + length < text.size()) {
    finding.length = length;
  } else if (text[inside] == '"') {
    finding.length = length_of_text(source, offset);
  }
  const std::string_view line = line_at(text, inside);
  const bool from_start = start == 0 || line.data() != text.data();
  if (from_start && (at_end || line.data() + line.size() < text.data() + text.size()))
    finding.source_line = line;
}

void find_places(std::vector<Finding>& findings, ByteSource& source, const Position& start,
                 const value::ReadOptions& options) {
  Wanted root;
  std::size_t count = 0;
  for (const Finding& finding : findings) count += want(root, finding.fault.path);
  PlaceFinder finder(root, count);
  if (!feed_from(source, start.offset, finder, options)) return;
  for (Finding& finding : findings) {
    const Wanted& place = nearest(root, finding.fault.path);
    const bool by_key = finding.fault.at_key && place.key_at;
    const std::optional<Position>& at = by_key ? place.key_at : place.value_at;
    const bool placed = finding.position.has_value();
    if (!placed && at) finding.position = moved(*at, start);
    show_place(finding, source);
    if (!placed && !by_key && finding.length == 0) finding.length = place.length;
  }
}

}  // namespace strake::validate
