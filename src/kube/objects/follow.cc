#include "kube/objects/follow.h"

#include <fmt/format.h>

#include "async/pause.h"
#include "http/message.h"
#include "kube/list.h"
#include "kube/watch_event.h"
#include "value/document.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::kube {
namespace {

using value::Document;
using value::Value;

constexpr std::size_t kPageSize = 500;
constexpr std::chrono::seconds kWatchFor = std::chrono::minutes(5);  // then with another

// How much later than it was asked to a watch may end.
constexpr std::chrono::seconds kWatchSlack{30};

// Goes away by itself: the server is busy, starts again, or has forgotten where the watch was.
bool may_pass_by_itself(const Error& error) {
  switch (error.code()) {
    case Code::kServiceUnavailable:
    case Code::kTooManyRequests:
    case Code::kInternal:
    case Code::kTimeout:
    case Code::kExpired:
    case Code::kGone: return true;
    default: return false;
  }
}

class Following {
 public:
  Following(const Client& cluster, const std::string& path, ObjectFollower& follower)
      : cluster_(cluster), path_(path), follower_(follower) {}

  Result<> run() {
    std::size_t failures = 0;
    while (true) {
      STRAKE_CHECK(cluster_.check());
      told_any_ = false;
      Result<> outcome = version_.empty() ? list() : watch();
      if (done_) return {};
      if (fatal_) return std::unexpected(*fatal_);
      STRAKE_CHECK(cluster_.check());
      if (outcome) {
        // A watch that ends without a word is not asked for again at once.
        failures = version_.empty() || told_any_ || listed_ ? 0 : failures + 1;
        listed_ = false;
      } else {
        if (!may_pass_by_itself(outcome.error())) return outcome;
        const Code code = outcome.error().code();
        if (code == Code::kExpired || code == Code::kGone) version_.clear();
        ++failures;
      }
      if (failures > 0)
        STRAKE_CHECK(cluster_.pause(async::pause_after(failures, async::Backoff())));
    }
  }

 private:
  std::string with(std::string_view query) const {
    return fmt::format("{}{}{}", path_, path_.contains('?') ? '&' : '?', query);
  }
  // What the follower says: whether to go on.
  bool goes_on(Result<bool> told) {
    if (!told) fatal_ = std::move(told).error();
    if (told && !*told) done_ = true;
    return told && *told;
  }

  Result<> list() {
    STRAKE_TRY(const std::vector<std::string> pages, list_pages(cluster_, path_, kPageSize));
    std::vector<Document> documents;
    std::vector<const Value*> objects;
    for (const std::string& page : pages) {
      value::ReadOptions options = value::ReadOptions::as_api_server();
      options.limits.bytes = std::size_t{1} << 28;
      Result<Document> read = value::read_json(page, options);
      if (!read || !read->root().is_object())
        return fail(Code::kParse, "GET {}: the answer is no list of objects", path_);
      documents.push_back(*std::move(read));
    }
    for (const Document& one : documents) {
      for (const Value& item : one.root().get("items").items()) objects.push_back(&item);
    }
    version_ = value::text_of(documents.back().root().get("metadata"), "resourceVersion");
    if (version_.empty())
      return fail(Code::kParse, "GET {}: the list has no resourceVersion", path_);
    listed_ = true;
    goes_on(follower_.on_list(objects));
    return {};
  }

  Result<> watch() {
    std::string pending;
    // A server that is gone without a word does not end it.
    const Client limited = cluster_.within({}, Deadline::after(kWatchFor + kWatchSlack));
    return limited.stream(
        {.path = with(
             fmt::format("watch=true&allowWatchBookmarks=true&resourceVersion={}&timeoutSeconds={}",
                         http::percent_encode(version_), kWatchFor.count()))},
        [&](std::string_view part) -> Result<bool> {
          pending += part;
          std::size_t from = 0;
          for (std::size_t end = pending.find('\n'); end != std::string::npos;
               end = pending.find('\n', from)) {
            STRAKE_TRY(const bool more, take(std::string_view(pending).substr(from, end - from)));
            if (!more) return false;
            from = end + 1;
          }
          pending.erase(0, from);
          if (pending.size() > kMostWatchLine)
            return fail(Code::kLimit, "a watch of {} sent an event of more than {} bytes", path_,
                        kMostWatchLine);
          return true;
        });
  }

  Result<bool> take(std::string_view line) {
    STRAKE_TRY(const WatchEvent event, read_watch_event(line, path_));
    told_any_ = true;
    if (std::string version = event.version(); !version.empty()) version_ = std::move(version);
    if (event.type == WatchEvent::Type::kSet) return goes_on(follower_.on_set(event.object()));
    if (event.type == WatchEvent::Type::kDeleted)
      return goes_on(follower_.on_deleted(event.object()));
    return true;
  }

  const Client& cluster_;
  const std::string& path_;
  ObjectFollower& follower_;
  std::string version_;  // up to which it has seen everything; empty: list first
  bool told_any_ = false;
  bool listed_ = false;
  bool done_ = false;           // the follower has enough
  std::optional<Error> fatal_;  // of the follower
};

}  // namespace

Result<> follow(const Client& cluster, const std::string& path, ObjectFollower& follower) {
  return Following(cluster, path, follower).run();
}

}  // namespace strake::kube
