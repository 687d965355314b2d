#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "validate/checker.h"
#include "validate/classify.h"
#include "validate/gzip.h"
#include "validate/locate.h"
#include "validate/passing_document.h"
#include "validate/phrases.h"
#include "validate/stream_places.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::validate {
namespace {

using value::Value;
using Strategy = schema::StreamOptions::Strategy;

constexpr std::size_t kChunk = 256 << 10;

// "first at 3:5" counts from the start of the part that was read.
void move_hint(Fault& fault, const Position& start) {
  constexpr std::string_view kFirst = "first at ";
  if (fault.issue != Issue::kDuplicateKey || !fault.hint.starts_with(kFirst)) return;
  Position at;
  const char* text = fault.hint.data() + kFirst.size();
  const char* end = fault.hint.data() + fault.hint.size();
  const auto line = std::from_chars(text, end, at.line);
  if (line.ec != std::errc() || line.ptr == end) return;
  std::from_chars(line.ptr + 1, end, at.column);
  at = moved(at, start);
  const std::string shown = fmt::format("{}:{}", at.line, at.column);
  fault.hint = fmt::format("{}{}", kFirst, shown);
  for (Param& param : fault.params) {
    if (param.name == "first") param.json = json_text(shown);
  }
}

Finding finding_of(Fault fault) {
  Finding out{.fault = std::move(fault)};
  out.path = out.fault.path;
  return out;
}

}  // namespace

// What comes out of the parser is sent where it belongs: to the window, where documents wait for
// their end; to a judge, when one outgrows the window; or nowhere.
class StreamCheck final : public value::EventSink {
 public:
  StreamCheck(const Checker& checker, const std::string& file, ByteSource& source,
              const StreamLimits& limits, const Checker::OnDocument& on_document)
      : checker_(checker),
        options_(checker.options_),
        limits_(limits),
        on_document_(on_document),
        source_(source) {
    result_.file = file;
    if (limits_.strategy == Strategy::kFullBuffer) limits_.hold = SIZE_MAX;
  }

  FileResult run() {
    value::JsonPushParser parser(*this, read_options(), value::JsonPushParser::Documents::kMany);
    std::string buffer(kChunk, '\0');
    Result<> state;
    while (state && !stopped_) {
      const auto count = source_.read(buffer);
      if (!count) {
        state = std::unexpected(count.error());
        break;
      }
      if (*count == 0) break;
      const std::string_view chunk = std::string_view(buffer).substr(0, *count);
      fed_ += chunk.size();
      window_ += chunk;
      state = parser.feed(chunk);
      trim_window();
    }
    if (state && !stopped_) state = parser.finish();
    if (!state && !stopped_) add_unreadable(met_json_ ? state.error() : not_json(state.error()));
    return std::move(result_);
  }

  bool begin_object(const Position& at) override { return begin(true, at); }
  bool begin_array(const Position& at) override { return begin(false, at); }
  bool key(std::string_view name, const Position& at) override {
    make_room(at);
    watch_.key(name);
    if (mode_ == Mode::kList && watch_.depth() == 1) note_list_key(name, at);
    if (mode_ == Mode::kJudge) passing_->key(name, at);
    return !stopped_;
  }
  bool end_object(const Position& at) override { return end(true, at); }
  bool end_array(const Position& at) override { return end(false, at); }
  bool scalar(const Value& v, const Position& at) override {
    if (watch_.depth() == 0) start_document(at);
    make_room(at);
    watch_.scalar(v);
    if (mode_ == Mode::kJudge) passing_->scalar(v, at);
    if (is_item()) check_part(value::to_json(v), at, items_++);
    if (watch_.depth() == 0) scalar_document_ = value::to_json(v);
    return !stopped_;
  }
  bool end_document(const Position& at) override {
    switch (mode_) {
      case Mode::kHold: end_held(at); break;
      case Mode::kJudge: end_judged(); break;
      case Mode::kList: end_list(); break;
      case Mode::kSkip: end_skipped(); break;
    }
    in_document_ = false;
    scalar_document_.clear();
    ++documents_;
    return !stopped_;
  }

 private:
  enum class Mode : std::uint8_t {
    kHold,   // in the window
    kJudge,  // by a judge that sees it pass
    kList,   // its items are held, one by one
    kSkip,   // nobody looks at it any more
  };

  value::ReadOptions read_options() const {
    value::ReadOptions out;
    out.text = value::TextPolicy::kReplace;
    out.numbers = options_.numbers;
    out.limits.depth = options_.max_depth;
    out.limits.bytes = UINT64_MAX;
    out.source_name = result_.file;
    return out;
  }

  // --- The window: raw bytes from the start of what may have to be read again.

  std::string_view window_from(std::uint64_t offset) const {
    return std::string_view(window_).substr(static_cast<std::size_t>(offset - window_start_));
  }

  void trim_window() {
    std::uint64_t keep = fed_;
    if (in_document_ && mode_ == Mode::kHold) keep = start_.offset;
    if (mode_ == Mode::kList && item_start_ && !item_too_large_) keep = item_start_->offset;
    window_.erase(0, static_cast<std::size_t>(keep - window_start_));
    window_start_ = keep;
  }

  void start_document(const Position& at) {
    in_document_ = met_json_ = true;
    told_ = false;
    start_ = at;
    watch_ = {};
    mode_ = Mode::kHold;
  }

  bool begin(bool object, const Position& at) {
    if (watch_.depth() == 0) start_document(at);
    make_room(at);
    if (is_item()) item_start_ = at;
    watch_.begin();
    if (mode_ == Mode::kJudge) passing_->begin(object, at);
    return !stopped_;
  }

  bool end(bool object, const Position& at) {
    watch_.end();
    if (mode_ == Mode::kJudge) passing_->end(object, at);
    if (mode_ == Mode::kList && item_start_ && watch_.depth() == 2) end_item(at);
    return !stopped_;
  }

  void end_held(const Position& at) {
    if (!scalar_document_.empty()) return check_part(scalar_document_, start_, std::nullopt);
    const std::string_view text =
        window_from(start_.offset).substr(0, static_cast<std::size_t>(at.offset - start_.offset));
    check_part(text, start_, std::nullopt);
  }

  // Called before a token begins: whatever was held may have grown too large by now.
  void make_room(const Position& at) {
    if (mode_ == Mode::kList && item_start_ && !item_too_large_)
      item_too_large_ = at.offset - item_start_->offset > limits_.hold;
    if (mode_ != Mode::kHold || watch_.depth() == 0) return;
    if (at.offset - start_.offset <= limits_.hold) return;
    choose_mode();
    if (mode_ == Mode::kSkip) return;
    // The part that has passed is played again; the token that begins now is not in it.
    const std::string_view before =
        window_from(start_.offset).substr(0, static_cast<std::size_t>(at.offset - start_.offset));
    replay(before);
  }

  // --- A document that outgrew the window.

  void choose_mode() {
    mode_ = Mode::kSkip;
    TypeNames names = watch_.names();
    // A judge must be chosen now, but JSON has its members in any order: kind and apiVersion may
    // come at the end. A file is searched for them and then read on from where it was; a pipe
    // cannot be.
    const bool guesses_list = watch_.root_key() == "items" && watch_.depth() >= 2;
    if (!names.complete() && options_.any == nullptr) {
      if (auto found = find_type(source_, start_.offset, read_options())) {
        names = *std::move(found);
        static_cast<void>(source_.seek(fed_));
      } else if (guesses_list && !names.kind) {
        // From a pipe the kind of a list may come behind its items.
        return start_list(names.api_version.value_or(""), "List");
      }
    }
    large_ = DocumentResult{.document = documents_,
                            .api_version = names.api_version.value_or(""),
                            .kind = names.kind.value_or("")};
    if (names.complete() && options_.any == nullptr &&
        is_list_kind(large_.api_version, large_.kind, checker_.catalog_)) {
      return start_list(large_.api_version, large_.kind);
    }
    const Judge* judge = find_judge(names);
    if (judge == nullptr) return;
    auto stream = judge->stream(limits_);
    if (!stream) {
      return add_large(held_whole_fault(say(Phrase::kHeldWhole, limits_.hold)), Status::kUnknown);
    }
    passing_.emplace(std::move(stream), options_);
    mode_ = Mode::kJudge;
  }

  // Null, and the document told about, when there is none.
  const Judge* find_judge(const TypeNames& names) {
    if (!names.complete()) {
      if (options_.any != nullptr) return options_.any;
      add_large({.issue = Issue::kRequired, .message = say(Phrase::kNoTypeInTime, limits_.hold)},
                Status::kError);
      return nullptr;
    }
    auto group_version = meta::parse_group_version(*names.api_version);
    if (!group_version) {
      add_large({.issue = Issue::kInvalidFormat,
                 .path = FieldPath() / "apiVersion",
                 .message = group_version.error().message()},
                Status::kError);
      return nullptr;
    }
    const meta::GroupVersionKind gvk{group_version->group, group_version->version, *names.kind};
    const Judge* judge =
        options_.any != nullptr ? checker_.catalog_.find_added(gvk) : checker_.catalog_.find(gvk);
    if (judge == nullptr) judge = options_.any;
    if (judge != nullptr) return judge;
    if (options_.ignore_missing_schemas && !checker_.catalog_.knows(gvk.group_kind())) {
      large_.status = Status::kSkipped;
      told_ = true;
      return nullptr;
    }
    add_large({.issue = Issue::kSchemaMissing,
               .path = FieldPath() / "kind",
               .message = say(Phrase::kNoSchema, gvk.kind, gvk.group_version().to_string()),
               .hint = checker_.catalog_.explain_missing(gvk)},
              Status::kError);
    return nullptr;
  }

  Fault held_whole_fault(std::string_view why) const {
    return {.issue = Issue::kBufferExceeded,
            .severity = Severity::kWarning,
            .message = say(Phrase::kNotChecked, why),
            .params = {{"limit", fmt::format("{}", limits_.hold)}}};
  }

  void add_large(Fault fault, Status status) {
    large_.status = status;
    large_.findings.push_back(finding_of(std::move(fault)));
    told_ = true;
  }

  // What was said of a document when nobody could look at it waits for its name.
  void end_skipped() {
    if (!std::exchange(told_, false)) return;
    name_large();
    if (!large_.findings.empty()) find_large_places();
    keep(std::move(large_));
  }

  void name_large() {
    large_.namespace_name = watch_.names().namespace_name;
    large_.name = watch_.names().name;
  }

  // The events of the part that has passed, once more, now for the mode that was chosen.
  void replay(std::string_view text) {
    const TypeWatch now = watch_;
    watch_ = {};
    Replay again(*this);
    value::JsonPushParser parser(again, read_options());
    // What the first parser took is well-formed, as far as it goes.
    static_cast<void>(parser.feed(text));
    watch_ = now;
  }

  // Positions of a replay count from the start of the document.
  class Replay final : public value::EventSink {
   public:
    explicit Replay(StreamCheck& check) : check_(check) {}
    bool begin_object(const Position& at) override { return check_.begin_again(true, place(at)); }
    bool begin_array(const Position& at) override { return check_.begin_again(false, place(at)); }
    bool key(std::string_view name, const Position& at) override {
      return check_.key(name, place(at));
    }
    bool end_object(const Position& at) override { return check_.end(true, place(at)); }
    bool end_array(const Position& at) override { return check_.end(false, place(at)); }
    bool scalar(const Value& v, const Position& at) override { return check_.scalar(v, place(at)); }
    bool end_document(const Position&) override { return true; }

   private:
    Position place(const Position& at) const { return moved(at, check_.start_); }
    StreamCheck& check_;
  };
  bool begin_again(bool object, const Position& at) {
    if (is_item()) item_start_ = at;
    watch_.begin();
    if (mode_ == Mode::kJudge) passing_->begin(object, at);
    return !stopped_;
  }

  void end_judged() {
    name_large();
    passing_->finish(checker_.old_ != nullptr, large_);
    find_large_places();
    passing_->limit(large_);
    passing_.reset();
    keep(std::move(large_));
  }

  // Reading goes on where it was.
  void find_large_places() {
    find_places(large_.findings, source_, start_, read_options());
    static_cast<void>(source_.seek(fed_));
  }

  // --- A list, whose items are documents of their own.

  void start_list(std::string_view api_version, std::string_view kind) {
    mode_ = Mode::kList;
    implied_ = implied_by(api_version, kind);
    list_keys_.clear();
    item_start_.reset();
    item_too_large_ = false;
    items_ = 0;
  }

  // Whether the value that begins now is an item.
  bool is_item() const {
    return mode_ == Mode::kList && watch_.depth() == 2 && watch_.root_key() == "items";
  }

  void end_item(const Position& at) {
    const Position start = *item_start_;
    const std::size_t index = items_++;
    item_start_.reset();
    const auto length = static_cast<std::size_t>(at.offset - start.offset) + 1;
    if (!item_too_large_)
      return check_part(window_from(start.offset).substr(0, length), start, index);
    item_too_large_ = false;
    large_ = DocumentResult{.document = documents_, .items = {index}};
    const bool refused = length > options_.max_bytes;
    large_.truncated = refused;
    large_.status = refused ? Status::kInvalid : Status::kUnknown;
    Finding finding = finding_of(refused ? too_large_fault(options_.max_bytes)
                                         : held_whole_fault(say(Phrase::kMoreBytes, limits_.hold)));
    finding.path = FieldPath() / "items" / index;
    finding.position = start;
    large_.findings.push_back(std::move(finding));
    keep(std::move(large_));
  }

  void note_list_key(std::string_view name, const Position& at) {
    constexpr std::size_t kMostKeys = 1000;
    if (options_.duplicates == DuplicateKeys::kLastWins ||
        options_.duplicates == DuplicateKeys::kFirstWins || list_keys_.size() > kMostKeys)
      return;
    const auto [first, fresh] = list_keys_.try_emplace(std::string(name), at);
    if (fresh) return;
    large_ = DocumentResult{.document = documents_};
    const bool error = options_.duplicates == DuplicateKeys::kError;
    large_.findings.push_back(finding_of(
        duplicate_key_fault({.path = {}, .first = first->second, .second = at}, FieldPath() / name,
                            error ? Severity::kError : Severity::kWarning)));
    large_.findings.back().position = at;
    large_.status = error ? Status::kInvalid : Status::kValid;
    keep(std::move(large_));
  }

  void end_list() {
    // What was taken for a list has to be one after all.
    const TypeNames& names = watch_.names();
    if (names.kind && names.kind->ends_with("List")) return;
    large_ = DocumentResult{.document = documents_, .kind = names.kind.value_or("")};
    add_large({.issue = Issue::kRequired,
               .path = FieldPath() / "kind",
               .message = say(Phrase::kItemsBeforeKind)},
              Status::kError);
    end_skipped();
  }

  // --- Results

  // A document or item that was held, read and judged as if it were alone.
  void check_part(std::string_view text, const Position& start, std::optional<std::size_t> item) {
    const FieldPath front = item ? FieldPath() / "items" / *item : FieldPath();
    FileResult part = checker_.check_part(result_.file, text, item ? implied_ : ImpliedType{});
    result_.unreadable = result_.unreadable || part.unreadable;
    result_.unlisted_errors += part.unlisted_errors;
    result_.unlisted_warnings += part.unlisted_warnings;
    for (DocumentResult& document : part.documents) {
      document.document = documents_;
      if (item) document.items.insert(document.items.begin(), *item);
      for (Finding& finding : document.findings) {
        if (finding.position) {
          // Of the line on which the part begins only the rest is known.
          if (finding.position->line == 1 && start.column > 1) finding.source_line.clear();
          finding.position = moved(*finding.position, start);
        }
        move_hint(finding.fault, start);
        finding.path = join(front, finding.path);
      }
      keep(std::move(document));
    }
  }

  // Results must not grow with the input either.
  void keep(DocumentResult document) {
    if (stopped_) return;
    if (on_document_ && !on_document_(document)) stopped_ = true;
    document.output.reset();
    document.presence = {};
    document.defaults = {};
    const bool wrong = document.status == Status::kInvalid || document.status == Status::kError;
    if (wrong && limits_.stop_at_error) stopped_ = true;
    const bool fine = document.status == Status::kValid && document.findings.empty();
    if (fine) {
      ++result_.unlisted_valid;
    } else if (result_.documents.size() < options_.max_issues) {
      budget_.list(document, result_);
      result_.documents.push_back(std::move(document));
    } else if (document.status == Status::kValid || document.status == Status::kSkipped) {
      ++result_.unlisted_valid;
    } else {
      ++result_.unlisted_invalid;
    }
  }

  // Whoever streams YAML wants to know that it is none of its faults.
  static Error not_json(const Error& error) {
    if (error.code() == Code::kIo || !error.position()) return error;
    return Error(Code::kParse, say(Phrase::kOnlyJsonStreams)).at(*error.position());
  }

  void add_unreadable(const Error& error) {
    FileResult unreadable = unreadable_file(result_.file, error);
    DocumentResult& document = unreadable.documents.front();
    document.document = documents_;
    show_place(document.findings.front(), source_);
    if (on_document_) static_cast<void>(on_document_(document));
    result_.documents.push_back(std::move(document));
    result_.unreadable = true;
  }

  const Checker& checker_;
  const CheckOptions& options_;
  StreamLimits limits_;
  const Checker::OnDocument& on_document_;
  ByteSource& source_;
  FileResult result_;
  ResultBudget budget_{options_.results};
  bool stopped_ = false;   // nothing more is wanted
  bool met_json_ = false;  // the first document has begun

  std::string window_;
  std::uint64_t window_start_ = 0;
  std::uint64_t fed_ = 0;

  Mode mode_ = Mode::kHold;
  bool in_document_ = false;
  std::size_t documents_ = 0;
  Position start_;  // of the document
  TypeWatch watch_;
  std::string scalar_document_;

  DocumentResult large_;
  bool told_ = false;  // there is a result, though nobody looks at the document
  std::optional<PassingDocument> passing_;

  ImpliedType implied_;
  std::map<std::string, Position> list_keys_;
  std::optional<Position> item_start_;
  bool item_too_large_ = false;
  std::size_t items_ = 0;
};

FileResult Checker::check_stream(const std::string& file, ByteSource& source,
                                 const StreamLimits& limits, const OnDocument& on_document) const {
  StreamLimits with_options = limits;
  with_options.max_issues = options_.max_issues;
  with_options.max_depth = options_.max_depth;
  const auto plain = unpacked(source);
  if (!plain) return unreadable_file(file, plain.error());
  return StreamCheck(*this, file, **plain, with_options, on_document).run();
}

}  // namespace strake::validate
