#pragma once
// The text format of Prometheus (version 0.0.4): families with HELP and TYPE, and their samples.
// Pure.
#include <fmt/format.h>

#include <concepts>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace strake {

using MetricLabel = std::pair<std::string_view, std::string_view>;

// `a="b",c="d"`, with values escaped.
std::string metric_labels(std::initializer_list<MetricLabel> labels);

class MetricsText {
 public:
  // What is written is appended.
  explicit MetricsText(std::string& out) : out_(out) {}

  // The samples that follow are of this family; the views must stay until the next one.
  void family(std::string_view name, std::string_view type, std::string_view help);
  // `labels` as metric_labels() writes them, or empty.
  template <typename Number>
    requires std::integral<Number> || std::floating_point<Number>
  void sample(std::string_view labels, Number value) {
    sample_of("", labels, value);
  }
  // Of a histogram or summary: "_sum", "_count", "_bucket".
  template <typename Number>
  void sample_of(std::string_view suffix, std::string_view labels, Number value) {
    const bool bare = labels.empty();
    fmt::format_to(std::back_inserter(out_), "{}{}{}{}{} {}\n", name_, suffix, bare ? "" : "{",
                   labels, bare ? "" : "}", value);
  }
  // A family of one sample.
  template <typename Number>
  void single(std::string_view name, std::string_view type, std::string_view help, Number value) {
    family(name, type, help);
    sample("", value);
  }

 private:
  std::string& out_;
  std::string_view name_;
};

}  // namespace strake
