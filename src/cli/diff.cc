#include "cli/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace strake::cli {
namespace {

using Lines = std::vector<std::string_view>;  // each with its newline, when it has one

constexpr std::size_t kContext = 3;
constexpr std::ptrdiff_t kMostChanges = 2000;  // the search keeps memory in the square of this

Lines split_lines(std::string_view text) {
  Lines out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

enum class Edit : char { kKeep = ' ', kRemove = '-', kAdd = '+' };

// Myers' greedy search for the shortest script that turns a into b; the furthest x of each diagonal
// is kept for every number of changes, to walk back.
std::vector<Edit> shortest_edits(std::span<const std::string_view> a,
                                 std::span<const std::string_view> b) {
  const auto n = static_cast<std::ptrdiff_t>(a.size());
  const auto m = static_cast<std::ptrdiff_t>(b.size());
  const std::ptrdiff_t most = std::min(n + m, kMostChanges);
  const auto at = [](std::ptrdiff_t i) { return static_cast<std::size_t>(i); };

  std::vector<std::vector<std::ptrdiff_t>> history;  // per number of changes d: diagonals -d..d
  std::vector<std::ptrdiff_t> furthest(at(2 * most + 3), 0);
  const std::ptrdiff_t zero = most + 1;
  std::ptrdiff_t changes = -1;
  for (std::ptrdiff_t d = 0; d <= most && changes < 0; ++d) {
    history.emplace_back(furthest.begin() + (zero - d), furthest.begin() + (zero + d + 1));
    for (std::ptrdiff_t k = -d; k <= d; k += 2) {
      const bool down =
          k == -d || (k != d && furthest[at(zero + k - 1)] < furthest[at(zero + k + 1)]);
      std::ptrdiff_t x = down ? furthest[at(zero + k + 1)] : furthest[at(zero + k - 1)] + 1;
      while (x < n && x - k < m && a[at(x)] == b[at(x - k)]) ++x;
      furthest[at(zero + k)] = x;
      if (x >= n && x - k >= m) {
        changes = d;
        break;
      }
    }
  }
  if (changes < 0) {
    std::vector<Edit> out(a.size(), Edit::kRemove);
    out.insert(out.end(), b.size(), Edit::kAdd);
    return out;
  }

  std::vector<Edit> reversed;
  std::ptrdiff_t x = n;
  std::ptrdiff_t y = m;
  for (std::ptrdiff_t d = changes; d > 0; --d) {
    const std::vector<std::ptrdiff_t>& before =
        history[at(d)];  // as it stood before round d: index k + d
    const std::ptrdiff_t k = x - y;
    const auto reach = [&](std::ptrdiff_t diagonal) { return before[at(diagonal + d)]; };
    const bool down = k == -d || (k != d && reach(k - 1) < reach(k + 1));
    const std::ptrdiff_t from_k = down ? k + 1 : k - 1;
    const std::ptrdiff_t from_x = reach(from_k);
    const std::ptrdiff_t from_y = from_x - from_k;
    for (; x > from_x && y > from_y; --x, --y) reversed.push_back(Edit::kKeep);
    reversed.push_back(down ? Edit::kAdd : Edit::kRemove);
    x = from_x;
    y = from_y;
  }
  for (; x > 0; --x) reversed.push_back(Edit::kKeep);
  std::ranges::reverse(reversed);
  return reversed;
}

std::vector<Edit> edits_between(const Lines& a, const Lines& b) {
  std::size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  std::vector<Edit> out(head, Edit::kKeep);
  const std::vector<Edit> middle =
      shortest_edits(std::span(a).subspan(head, a.size() - head - tail),
                     std::span(b).subspan(head, b.size() - head - tail));
  out.insert(out.end(), middle.begin(), middle.end());
  out.insert(out.end(), tail, Edit::kKeep);
  return out;
}

void add_line(Edit edit, std::string_view line, std::string& out) {
  out += static_cast<char>(edit);
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

// "12,3", or "12" for one line; an empty range names the line before it.
std::string range_text(std::size_t start, std::size_t count) {
  if (count == 1) return fmt::format("{}", start + 1);
  return fmt::format("{},{}", count == 0 ? start : start + 1, count);
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, std::string_view name) {
  if (before == after) return {};
  const Lines a = split_lines(before);
  const Lines b = split_lines(after);
  const std::vector<Edit> edits = edits_between(a, b);

  std::string out = fmt::format("--- {}\n+++ {}\n", name, name);
  std::size_t line_a = 0;
  std::size_t line_b = 0;
  for (std::size_t i = 0; i < edits.size();) {
    if (edits[i] == Edit::kKeep) {
      ++i, ++line_a, ++line_b;
      continue;
    }
    // The hunk ends where more than two contexts of kept lines follow.
    std::size_t end = i;
    for (std::size_t j = i, kept = 0; j < edits.size() && kept <= 2 * kContext; ++j) {
      kept = edits[j] == Edit::kKeep ? kept + 1 : 0;
      if (kept == 0) end = j + 1;
    }
    const std::size_t lead = std::min(kContext, std::min(line_a, i));
    const std::size_t first = i - lead;
    const std::size_t last = std::min(edits.size(), end + kContext);
    std::size_t at_a = line_a - lead;
    std::size_t at_b = line_b - lead;
    const std::size_t start_a = at_a;
    const std::size_t start_b = at_b;
    std::string body;
    for (std::size_t j = first; j < last; ++j) {
      add_line(edits[j], edits[j] == Edit::kAdd ? b[at_b] : a[at_a], body);
      if (edits[j] != Edit::kAdd) ++at_a;
      if (edits[j] != Edit::kRemove) ++at_b;
    }
    out += fmt::format("@@ -{} +{} @@\n{}", range_text(start_a, at_a - start_a),
                       range_text(start_b, at_b - start_b), body);
    i = last;
    line_a = at_a;
    line_b = at_b;
  }
  return out;
}

}  // namespace strake::cli
