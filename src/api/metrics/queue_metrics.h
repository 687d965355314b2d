#pragma once
// What controllers have to do and have done, with the names of client-go's work queues in
// kube-controller-manager 1.36.
#include <chrono>
#include <cstddef>
#include <string_view>

namespace strake::api {

class QueueMetrics {
 public:
  // `name` is one of the server's own, for good.
  explicit QueueMetrics(std::string_view name) : name_(name) {}
  void added(std::size_t count) const;
  // How many wait now.
  void set_depth(std::size_t count) const;
  void worked(std::chrono::nanoseconds time) const;
  void retried() const;

 private:
  std::string_view name_;
};

}  // namespace strake::api
