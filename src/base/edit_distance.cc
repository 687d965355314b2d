#include "base/edit_distance.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace strake {
namespace {

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  // Three rows of the table are enough: a swap looks back two.
  std::vector<std::size_t> two_back(a.size() + 1), back(a.size() + 1), row(a.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i) back[i] = i;
  for (std::size_t j = 1; j <= b.size(); ++j) {
    row[0] = j;
    std::size_t least = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      const std::size_t change = back[i - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[i] = std::min({change, back[i] + 1, row[i - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[i] = std::min(row[i], two_back[i - 2] + 1);
      }
      least = std::min(least, row[i]);
    }
    // A swap can lower the next row below this one's least, but never below that of the row before
    // it.
    if (least > limit + 1) return limit + 1;
    std::swap(two_back, back);
    std::swap(back, row);
  }
  return std::min(back[a.size()], limit + 1);
}

std::optional<std::string_view> closest(std::string_view word,
                                        std::span<const std::string_view> candidates) {
  const std::size_t limit = std::max<std::size_t>(1, std::min<std::size_t>(word.size(), 96) / 3);
  const std::string folded = ascii_lower(word);
  std::optional<std::string_view> best;
  std::size_t best_score = 2 * limit + 1;  // in half edits
  for (const std::string_view candidate : candidates) {
    const std::size_t folded_distance = edit_distance(folded, ascii_lower(candidate), limit);
    if (folded_distance > limit) continue;
    // Words that differ in half of their letters are no slips of each other: "z" is not "d".
    if (2 * folded_distance >= std::max(word.size(), candidate.size())) continue;
    const std::size_t exact = edit_distance(word, candidate, 2 * limit);
    const std::size_t score = folded_distance + std::min(exact, 2 * limit);
    if (score >= best_score) continue;
    best_score = score;
    best = candidate;
  }
  return best;
}

}  // namespace strake
