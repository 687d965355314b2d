#pragma once
// Warnings as they are collected, each once. kube-apiserver 1.36 sends 4,096 characters of them,
// and of each no more than 256 when there are more: what comes later need not be made.
#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace strake::kinds {

class WarningsList {
 public:
  void add(std::string text) {
    if (full()) return;
    ++tries_;
    bytes_ += text.size();
    if (!seen_.insert(text).second) return;
    sent_ += std::min(character_count(text), kMostOfOne);
    texts_.push_back(std::move(text));
  }
  // Nothing more would be sent, or so much was tried that the object must mean harm.
  bool full() const { return room() == 0 || bytes_ >= kMostBytes || sent_ >= kMostSent; }
  // How many more may be tried.
  std::size_t room() const { return kMostTries - tries_; }
  std::vector<std::string> take() { return std::move(texts_); }

 private:
  static constexpr std::size_t kMostSent = 4096;
  static constexpr std::size_t kMostOfOne = 256;
  static constexpr std::size_t kMostTries = 16'384;
  static constexpr std::size_t kMostBytes = 1 << 20;

  // Each byte that does not continue a character.
  static std::size_t character_count(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  }

  std::vector<std::string> texts_;
  std::unordered_set<std::string> seen_;
  std::size_t tries_ = 0;
  std::size_t bytes_ = 0;
  std::size_t sent_ = 0;
};

}  // namespace strake::kinds
