#pragma once
// The loads that can be run, each giving one row of the table.
#include <optional>
#include <string>

#include "fixture.h"
#include "runner.h"

namespace strake::load {

struct Settings {
  std::size_t threads = 1;
  std::size_t objects = 500;
  std::chrono::milliseconds time{3000};
  std::uint64_t max_requests = 0;
  std::size_t watch_events = 50;
  std::size_t watch_rate = 20;     // writes in a second
  std::function<void()> on_start;  // everything is set up, and measuring begins
};

struct Row {
  std::string scenario;
  std::size_t clients = 0;
  std::uint64_t count = 0;  // good answers; for a watch, events that arrived
  std::uint64_t errors = 0;
  double seconds = 0;
  std::uint64_t bytes = 0;
  std::uint64_t p50 = 0;  // nanoseconds
  std::uint64_t p99 = 0;
  std::uint64_t max = 0;
  std::string first_error;
  double rate() const { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }
};

Result<Row> run_get(const Endpoint& endpoint, const Fixture& fixture, const Settings& settings,
                    std::size_t clients);
Result<Row> run_list(const Endpoint& endpoint, const Fixture& fixture, const Settings& settings,
                     std::size_t clients);
Result<Row> run_create(const Endpoint& endpoint, const Fixture& fixture, const Settings& settings,
                       std::size_t clients);
Result<Row> run_update(const Endpoint& endpoint, const Fixture& fixture, const Settings& settings,
                       std::size_t clients);
// Times are from a write's acknowledgement to its receipt by the last of the watchers. An event
// that a watcher lacks, or gets out of order, is an error.
Result<Row> run_watch(const Endpoint& endpoint, const Fixture& fixture, const Settings& settings,
                      std::size_t watchers);
// An owner of so many dependents is deleted. Counts those that are collected; the times are those
// of a client that reads meanwhile.
Result<Row> run_collect(const Endpoint& endpoint, const Fixture& fixture, const Settings& settings,
                        std::size_t dependents);

}  // namespace strake::load
