#pragma once
// For tests and the fuzz target: the laws that hold between the fast scanner, libyaml, and the
// parser that is made of both.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/yaml_libyaml.h"
#include "value/yaml_parser.h"
#include "value/yaml_scanner.h"

namespace strake::value::internal {

// A stream of events, each written out, and the error that ended it.
struct YamlTrace {
  std::vector<std::string> events;
  std::optional<std::string> error;
};

inline std::string describe(const YamlEvent& event) {
  return fmt::format("{} {}:{}:{} {}'{}' !{} &{}", static_cast<int>(event.kind), event.at.offset,
                     event.at.line, event.at.column, event.plain ? "plain" : "", event.text,
                     event.tag, event.anchor);
}

inline YamlTrace libyaml_trace(std::string_view text) {
  YamlTrace trace;
  LibyamlParser parser(text, YamlSchema::kKubernetes,
                       {.flow_budget = LibyamlParser::flow_budget_for(text)});
  YamlEvent event;
  do {
    if (const Result<> more = parser.next(event); !more) {
      trace.error = more.error().to_string();
      return trace;
    }
    trace.events.push_back(describe(event));
  } while (event.kind != YamlEventKind::kStreamEnd);
  return trace;
}

inline YamlTrace parser_trace(std::string_view text) {
  YamlTrace trace;
  YamlParser parser(text, {});
  YamlEvent event;
  do {
    if (!parser.next(event)) {
      trace.error = parser.take_error().to_string();
      return trace;
    }
    trace.events.push_back(describe(event));
  } while (event.kind != YamlEventKind::kStreamEnd);
  return trace;
}

struct ScannerCheck {
  std::string fault;            // what law was broken; empty when all hold
  bool whole = false;           // the scanner read the text to its end
  std::size_t events = 0;       // that the scanner emitted
  std::size_t bytes_taken = 0;  // of the text, up to where the scanner declined
};

// Everything the scanner emits, libyaml emits as well; a text with an error is never read to its
// end; and the parser gives libyaml's events and error. libyaml looks ahead, so it may notice an
// error while the scanner has still something to say about what stands before it.
inline ScannerCheck check_scanner(std::string_view text) {
  ScannerCheck check;
  const YamlTrace want = libyaml_trace(text);
  const auto compare = [&want](std::size_t index, const std::string& met) -> std::string {
    if (index >= want.events.size())
      return want.error ? std::string() : fmt::format("event {} is one too many: {}", index, met);
    if (want.events[index] == met) return {};
    return fmt::format("event {} is {} and should be {}", index, met, want.events[index]);
  };
  YamlScanner scanner(text, LibyamlParser::flow_budget_for(text));
  YamlEvent event;
  while (scanner.usable() && !check.whole && scanner.next(event)) {
    check.fault = compare(check.events++, describe(event));
    if (!check.fault.empty()) {
      check.fault = "scanner: " + check.fault;
      return check;
    }
    check.whole = event.kind == YamlEventKind::kStreamEnd;
    check.bytes_taken = check.whole ? text.size() : event.at.offset;
  }
  if (check.whole && want.error) check.fault = "scanner: missed the error: " + *want.error;
  if (check.whole && !want.error && check.events != want.events.size())
    check.fault = "scanner: stopped too early";
  if (!check.fault.empty()) return check;

  const YamlTrace met = parser_trace(text);
  for (std::size_t i = 0; i < met.events.size() && check.fault.empty(); ++i) {
    check.fault = compare(i, met.events[i]);
  }
  if (check.fault.empty() && met.events.size() < want.events.size())
    check.fault = fmt::format("only {} of {} events", met.events.size(), want.events.size());
  if (check.fault.empty() && met.error != want.error)
    check.fault = fmt::format("error is {} and should be {}", met.error.value_or("none"),
                              want.error.value_or("none"));
  if (!check.fault.empty()) check.fault = "parser: " + check.fault;
  return check;
}

}  // namespace strake::value::internal
