#include "api/routes/status_pages.h"

#include <fmt/format.h>

#include "api/request/media.h"
#include "api/verbs/respond.h"
#include "base/rfc3339.h"
#include "base/trim.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

constexpr std::string_view kPageGroup = "config.k8s.io";
constexpr std::string_view kPageVersions[] = {"v1beta1", "v1alpha1"};
constexpr std::string_view kPageForms[] = {"text/plain"};
constexpr std::string_view kBinaryVersion = "1.36";
constexpr std::string_view kListedPaths[] = {"/flagz",  "/healthz", "/livez",  "/metrics",
                                             "/readyz", "/statusz", "/version"};

// Go's time.UnixDate in UTC: Mon Jan  1 00:00:00 UTC 2024
std::string unix_date(WallTime time) {
  constexpr std::string_view kDays[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
  constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::int64_t seconds = Instant::from(time).seconds;
  const std::int64_t day = seconds / 86'400 - (seconds % 86'400 < 0 ? 1 : 0);
  const std::int64_t rest = seconds - day * 86'400;
  const CivilDate date = civil_from_days(day);
  return fmt::format("{} {} {:>2} {:02}:{:02}:{:02} UTC {}",
                     kDays[static_cast<std::size_t>((day % 7 + 7) % 7)], kMonths[date.month - 1],
                     date.day, rest / 3600, rest / 60 % 60, rest % 60, date.year);
}

std::string page_header(std::string_view page) {
  return fmt::format(
      "\nstrake {}\nWarning: This endpoint is not meant to be machine parseable, has no formatting "
      "compatibility guarantees and is for debugging purposes only.\n",
      page);
}

void add_page_string(std::string& out, std::string_view text) {
  value::write_json_string(text, out);
}

}  // namespace

StatusPages::StatusPages(Facts facts, const Clock& clock)
    : facts_(std::move(facts)), clock_(clock), started_(clock.now()) {}

bool StatusPages::takes(const Call& call) const {
  return call.info.path == "/statusz" || call.info.path == "/flagz";
}

std::int64_t StatusPages::seconds_up() const {
  return std::max<std::int64_t>(
      0, std::chrono::duration_cast<std::chrono::seconds>(clock_.now() - started_).count());
}

std::string StatusPages::text_of(Page page) const {
  if (page == Page::kFlagz) {
    std::string out = page_header("flagz");
    for (const auto& [name, value] : facts_.flags)
      fmt::format_to(std::back_inserter(out), "{}={}\n", name, value);
    return out;
  }
  std::string out = page_header("statusz");
  const std::int64_t up = seconds_up();
  fmt::format_to(std::back_inserter(out),
                 "\nStarted: {}\nUp: {} hr {:02} min {:02} sec\nBinary version: {}\nEmulation "
                 "version: {}\nPaths: {}\nStrake version: {}\n",
                 unix_date(started_), up / 3600, up / 60 % 60, up % 60, kBinaryVersion,
                 kBinaryVersion, fmt::join(kListedPaths, " "), facts_.version);
  if (facts_.more) {
    for (const auto& [name, value] : facts_.more())
      fmt::format_to(std::back_inserter(out), "{}: {}\n", name, value);
  }
  return out;
}

std::string StatusPages::json_of(Page page, std::string_view version) const {
  std::string out =
      fmt::format(R"({{"kind":"{}","apiVersion":"{}/{}","metadata":{{"name":"strake"}})",
                  page == Page::kStatusz ? "Statusz" : "Flagz", kPageGroup, version);
  if (page == Page::kStatusz) {
    fmt::format_to(std::back_inserter(out),
                   R"(,"startTime":"{}","uptimeSeconds":{},"binaryVersion":"{}",)"
                   R"("emulationVersion":"{}","paths":["{}"])",
                   format_rfc3339(Instant::from(started_)), seconds_up(), kBinaryVersion,
                   kBinaryVersion, fmt::join(kListedPaths, R"(",")"));
  } else if (!facts_.flags.empty()) {
    char before = '{';
    out += ",\"flags\":";
    for (const auto& [name, value] : facts_.flags) {
      out += std::exchange(before, ',');
      add_page_string(out, name);
      out += ':';
      add_page_string(out, value);
    }
    out += '}';
  }
  return out + "}\n";
}

AnswerTask<http::Response> StatusPages::answer(std::shared_ptr<Call> call) {
  const Page page = call->info.path == "/statusz" ? Page::kStatusz : Page::kFlagz;
  const std::string_view accept = call->request.headers.get("Accept");
  if (!trim(accept).empty()) {
    for (const std::string_view version : kPageVersions) {
      if (accepts_as(accept, page == Page::kStatusz ? "Statusz" : "Flagz", kPageGroup, version))
        co_return json_response(200, json_of(page, version));
    }
    if (!first_accepted(accept, kPageForms))
      co_return refuse(meta::Status::not_acceptable({"application/json", "text/plain"}));
  }
  co_return text_response(200, text_of(page));
}

}  // namespace strake::api
