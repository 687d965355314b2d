#include <fmt/format.h>

#include "recording/compare.h"

namespace strake::recording {
namespace {

constexpr std::size_t kShownBefore = 5;

std::string summary(const Recording& recording) {
  double last = 0;
  for (const Exchange& one : recording.exchanges) {
    last = one.request.at;
    if (one.answer) last = std::max(last, one.answer->at);
  }
  return fmt::format("{}: {} requests in {:.3f}s{}", recording.name, recording.exchanges.size(),
                     last, recording.full ? ", then it was full" : "");
}

std::string_view order_name(Order order) {
  switch (order) {
    case Order::kArrival: return "all requests in one order";
    case Order::kClient: return "the requests of each client in one order";
    case Order::kObject: return "the requests of each client about each object in one order";
  }
  return {};
}

void list_before(std::string& out, std::string_view name, const Recording& recording,
                 std::size_t place) {
  if (place == 0) return;
  out += fmt::format("before it, in {}:\n", name);
  const std::size_t from = place - std::min(place, kShownBefore);
  for (std::size_t i = from; i < place; ++i)
    out += fmt::format("  {}\n", describe(recording.exchanges[i]));
}

void describe_difference(std::string& out, const Difference& one, const Recording& a,
                         const Recording& b) {
  if (one.a) out += fmt::format("  A: {}\n", describe(a.exchanges[*one.a]));
  if (one.b) out += fmt::format("  B: {}\n", describe(b.exchanges[*one.b]));
  for (const std::string& line : one.details) out += fmt::format("    {}\n", line);
  if (one.kind == Difference::Kind::kMissing)
    out += fmt::format("    {} has no further request of this client there\n", one.a ? "B" : "A");
  if (one.a_in_b)
    out += fmt::format("    in B, the request of A comes as request {}\n",
                       b.exchanges[*one.a_in_b].request.id);
  if (one.b_in_a)
    out += fmt::format("    in A, the request of B comes as request {}\n",
                       a.exchanges[*one.b_in_a].request.id);
}

std::string_view title(Difference::Kind kind) {
  switch (kind) {
    case Difference::Kind::kRequest: return "they part at another request:";
    case Difference::Kind::kMissing: return "they part where only one has a request:";
    case Difference::Kind::kAnswer: return "they part at another answer to the same request:";
    case Difference::Kind::kEvents: return "they part at another event of the same watch:";
  }
  return {};
}

}  // namespace

std::string describe(const Exchange& exchange) {
  const RequestLine& line = exchange.request;
  return fmt::format("{:>5} {:>9.3f}s  {} (connection {})  {} {}{}{}  {}{}", line.id, line.at,
                     line.agent.empty() ? "no user agent" : line.agent, line.connection,
                     line.method, line.path, line.query.empty() ? "" : "?", line.query,
                     exchange.answer ? fmt::format("{}", exchange.answer->status) : "no answer",
                     exchange.answer && !exchange.answer->user.empty()
                         ? fmt::format(" as {}", exchange.answer->user)
                         : "");
}

std::string describe(const Comparison& comparison, const Recording& a, const Recording& b,
                     Order order) {
  std::string out = fmt::format("A: {}\nB: {}\n", summary(a), summary(b));
  if (!comparison.first) {
    out += fmt::format("they agree: {}, with the same answers\n",
                       order_name(comparison.agree_by.value_or(order)));
    if (comparison.agree_by != Order::kArrival && comparison.other_arrival) {
      const std::size_t place = *comparison.other_arrival;
      out += "the order of arrival differs first at:\n";
      if (place < a.exchanges.size()) out += fmt::format("  A: {}\n", describe(a.exchanges[place]));
      if (place < b.exchanges.size()) out += fmt::format("  B: {}\n", describe(b.exchanges[place]));
    }
    return out;
  }
  const Difference& first = *comparison.first;
  out += fmt::format("{}\n", title(first.kind));
  describe_difference(out, first, a, b);
  if (comparison.agree_by)
    out += fmt::format("they agree otherwise: {}, with the same answers\n",
                       order_name(*comparison.agree_by));
  if (!comparison.overtaking.empty()) {
    out += "requests of other clients that came before it in one of them only:\n";
    for (const Overtaking& one : comparison.overtaking)
      out += fmt::format("  {}: {}\n", one.in_a ? "A" : "B",
                         describe((one.in_a ? a : b).exchanges[one.place]));
  }
  if (first.a) list_before(out, "A", a, *first.a);
  if (first.b) list_before(out, "B", b, *first.b);
  return out;
}

}  // namespace strake::recording
