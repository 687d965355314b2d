#include "kube/object_watch.h"

#include <fmt/format.h>

#include "async/signal.h"
#include "http/byte_stream.h"
#include "http/message.h"
#include "kube/watch_event.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::kube {
namespace {

using value::Document;
using value::Value;

// How much later than it was asked to a watch may end.
constexpr std::chrono::seconds kLate{30};

std::string version_of(const Value& object) {
  return std::string(value::text_of(object.get("metadata"), "resourceVersion"));
}

bool has_lost_its_place(const Error& error) {
  return error.code() == Code::kExpired || error.code() == Code::kGone;
}

}  // namespace

ObjectWatch::ObjectWatch(std::shared_ptr<const ClusterClient> cluster, Options options,
                         ObjectSink& sink)
    : cluster_(std::move(cluster)), options_(std::move(options)), sink_(sink) {}

std::string ObjectWatch::with(std::string_view query) const {
  return fmt::format("{}{}{}", options_.path, options_.path.contains('?') ? '&' : '?', query);
}

async::Task<> ObjectWatch::list() {
  std::vector<Document> pages;
  std::vector<const Value*> objects;
  std::string next;
  version_.clear();
  do {
    std::string query = fmt::format("limit={}", options_.page);
    if (!next.empty()) query += "&continue=" + http::percent_encode(next);
    STRAKE_CO_TRY(std::string text,
                  co_await cluster_->send({.path = with(query)}, stopping_.token()));
    Result<Document> read = value::read_json(text, value::ReadOptions::as_api_server());
    if (!read || !read->root().is_object())
      co_return fail(Code::kParse, "GET {}: the answer is no list of objects", options_.path);
    pages.push_back(*std::move(read));
    const Value& root = pages.back().root();
    next = value::text_of(root.get("metadata"), "continue");
    for (const Value& item : root.get("items").items()) objects.push_back(&item);
    if (objects.size() > options_.most_objects)
      co_return fail(Code::kLimit, "GET {}: more than {} objects", options_.path,
                     options_.most_objects);
  } while (!next.empty());
  version_ = version_of(pages.back().root());
  if (version_.empty())
    co_return fail(Code::kParse, "GET {}: the list has no resourceVersion", options_.path);
  sink_.on_list(objects);
  co_return Result<>();
}

Result<> ObjectWatch::take(std::string_view line) {
  STRAKE_TRY(const WatchEvent event, read_watch_event(line, options_.path));
  told_any_ = true;
  if (std::string version = event.version(); !version.empty()) version_ = std::move(version);
  if (event.type == WatchEvent::Type::kSet) sink_.on_set(event.object());
  if (event.type == WatchEvent::Type::kDeleted) sink_.on_deleted(event.object());
  return {};
}

async::Task<> ObjectWatch::watch() {
  const auto seconds = options_.watch_for.count();
  STRAKE_CO_TRY(const std::unique_ptr<http::BodyReader> events,
                co_await cluster_->open(
                    {.path = with(fmt::format(
                         "watch=true&allowWatchBookmarks=true&resourceVersion={}&timeoutSeconds={}",
                         http::percent_encode(version_), seconds))},
                    Deadline::after(options_.watch_for + kLate), stopping_.token()));
  note({});
  open_since_ = std::chrono::steady_clock::now();
  std::string pending;
  while (true) {
    http::Outcome<std::string> part = co_await events->next();
    if (!part)
      co_return fail(Code::kServiceUnavailable, "a watch of {} broke off: {}", options_.path,
                     part.error().message);
    if (part->empty()) co_return Result<>();
    pending += *part;
    std::size_t from = 0;
    for (std::size_t end = pending.find('\n'); end != std::string::npos;
         end = pending.find('\n', from)) {
      STRAKE_CO_CHECK(take(std::string_view(pending).substr(from, end - from)));
      from = end + 1;
    }
    pending.erase(0, from);
    if (pending.size() > kMostWatchLine)
      co_return fail(Code::kLimit, "a watch of {} sent an event of more than {} bytes",
                     options_.path, kMostWatchLine);
  }
}

void ObjectWatch::note(const Result<>& outcome) {
  if (outcome) {
    if (std::exchange(failures_, 0) > 0) sink_.on_recovery();
    return;
  }
  if (++failures_ == 1) sink_.on_trouble(outcome.error());
}

bool ObjectWatch::was_good(std::size_t tries) const {
  if (told_any_) return true;
  if (open_since_ == SteadyTime()) return false;
  return std::chrono::steady_clock::now() - open_since_ >
         async::pause_after(tries + 1, options_.backoff);
}

async::Task<> ObjectWatch::begin() { co_return co_await list(); }

boost::asio::awaitable<void> ObjectWatch::run() {
  std::size_t tries = 0;  // that came to nothing, in a row
  while (!stopping_.cancelled()) {
    Result<> outcome;
    told_any_ = false;
    open_since_ = {};
    if (version_.empty()) {
      outcome = co_await list();
      if (outcome) {
        tries = 0;
        note(outcome);
        continue;
      }
    } else {
      outcome = co_await watch();
    }
    if (stopping_.cancelled()) break;
    if (!outcome && has_lost_its_place(outcome.error())) {
      version_.clear();
      if (told_any_) continue;
    } else if (!outcome) {
      note(outcome);
    }
    // Whoever ends watches at once is not asked again at once.
    const bool good = was_good(tries);
    if (good) tries = 0;
    if (!outcome || !good) ++tries;
    if (outcome && tries <= 1) continue;
    const Deadline next = Deadline::after(async::pause_after(tries, options_.backoff));
    if (!co_await async::sleep_until(next, stopping_.token())) break;
  }
}

}  // namespace strake::kube
