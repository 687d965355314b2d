#include "recording/recording.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/lines.h"

namespace strake::recording {
namespace {

// Puts the lines together.
class Collector {
 public:
  explicit Collector(Recording& into) : into_(into) {}

  Result<> add(Line line) {
    if (!begun_ && !std::holds_alternative<HeadLine>(line))
      return fail(Code::kParse, "must begin with {{\"recording\":\"strake/v1\"}}");
    begun_ = true;
    return std::visit([this](auto&& one) { return take(std::move(one)); }, std::move(line));
  }

 private:
  Result<> take(HeadLine) { return {}; }
  Result<> take(FullLine) {
    into_.full = true;
    return {};
  }
  Result<> take(RequestLine line) {
    if (into_.exchanges.size() == Recording::kMostRequests)
      return fail(Code::kLimit, "more than {} requests", Recording::kMostRequests);
    if (!places_.emplace(line.id, into_.exchanges.size()).second)
      return fail(Code::kParse, "request {} is there already", line.id);
    into_.exchanges.push_back({.request = std::move(line)});
    return {};
  }
  Result<> take(AnswerLine line) {
    STRAKE_TRY(Exchange * of, exchange(line.id));
    of->answer = std::move(line);
    return {};
  }
  Result<> take(EventLine line) {
    STRAKE_TRY(Exchange * of, exchange(line.id));
    of->events.push_back(std::move(line));
    return {};
  }
  Result<> take(EndLine line) {
    STRAKE_TRY(Exchange * of, exchange(line.id));
    of->end = line;
    return {};
  }
  Result<Exchange*> exchange(RequestId id) {
    const auto found = places_.find(id);
    if (found == places_.end()) return fail(Code::kParse, "there is no request {} before it", id);
    return &into_.exchanges[found->second];
  }

  Recording& into_;
  std::unordered_map<RequestId, std::size_t> places_;
  bool begun_ = false;
};

}  // namespace

Result<Recording> Recording::read(std::string_view text, std::string name) {
  Recording out;
  out.name = std::move(name);
  Collector collector(out);
  std::size_t number = 0;
  bool any = false;
  while (!text.empty()) {
    const bool is_whole = text.contains('\n');
    const std::string_view line = take_line(text);
    ++number;
    if (line.empty()) continue;
    Result<Line> read = read_line(line);
    if (!read && !is_whole && any) break;
    const Result<> added = read ? collector.add(*std::move(read)) : std::unexpected(read.error());
    if (!added)
      return fail(added.error().code(), "{}:{}: {}", out.name, number, added.error().message());
    any = true;
  }
  if (!any) return fail(Code::kParse, "{}: is empty, and no recording", out.name);
  return out;
}

}  // namespace strake::recording
