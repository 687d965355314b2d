#pragma once
// Where two recordings part. Requests arrive in another order whenever two programs run at once, so
// what has to agree is the order within each client, unless the caller wants more or less.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recording/normal_form.h"
#include "recording/recording.h"

namespace strake::recording {

// Which requests must come in the same order: all of them; those of one client; those of one client
// about one object (its path), which is what programs with many workers keep. A client is a
// connection of a program, known by its user agent; where programs had other numbers of
// connections, or used them differently, all connections of the program are one client.
enum class Order : std::uint8_t { kArrival, kClient, kObject };

struct Difference {
  enum class Kind : std::uint8_t {
    kRequest,  // another request at the same place
    kMissing,  // one of them has no request there
    kAnswer,   // the same request, another answer
    kEvents,   // the same watch, other events
  };
  Kind kind = Kind::kRequest;
  std::optional<std::size_t> a;  // places in the two recordings; one of them is there
  std::optional<std::size_t> b;
  // What differs, a line for each value.
  std::vector<std::string> details;
  // Where the request of A comes in B after all, and the other way round.
  std::optional<std::size_t> a_in_b;
  std::optional<std::size_t> b_in_a;
};

// A request of other clients that came before the difference in one recording alone.
struct Overtaking {
  bool in_a = false;
  std::size_t place = 0;
};

struct Comparison {
  // By the order that was asked for; nothing when they agree.
  std::optional<Difference> first;
  std::vector<Overtaking> overtaking;  // of that difference; the last few of each side
  // The strictest order by which they agree, if there is one.
  std::optional<Order> agree_by;
  // With agree_by weaker than kArrival: where the order of arrival differs first.
  std::optional<std::size_t> other_arrival;
};

Comparison compare(const Recording& a, const Recording& b, Order order);

// What differs between the answers to a recorded request and to its repetition; nothing when they
// agree. Each side has its generated names.
std::optional<Difference> compare(const Exchange& then, const GeneratedNames& names_then,
                                  const Exchange& now, const GeneratedNames& names_now);
// Those of its answer and its events.
void note_names(const Exchange& exchange, GeneratedNames& names);

// For people, several lines.
std::string describe(const Comparison& comparison, const Recording& a, const Recording& b,
                     Order order);
// One line: "12   0.340s  kubectl/v1.36 (connection 2)  GET /api/v1/pods  200".
std::string describe(const Exchange& exchange);

}  // namespace strake::recording
