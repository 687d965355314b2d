#include "cli/fmt/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

// Myers' O(ND) algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986). A script of
// edits is a path from (0, 0) to (n, m): right removes a line of a, down adds a line of b, a
// diagonal keeps one that both have. On diagonal k, where x - y = k, only the furthest point that d
// changes reach matters, and it comes from diagonal k - 1 or k + 1 with d - 1 changes. Walking back
// through what each round began with gives the script.
//
// The search is given up beyond kMostChanges, where it would take too much. Then lines that stand
// once in each text divide them, as in "patience diff", and the parts are compared by themselves.
// The outcome is always a correct script, but it need not be the shortest.

namespace strake::cli {
namespace {

using Lines = std::vector<std::string_view>;  // each with its newline, when it has one

constexpr std::size_t kContext = 3;
// The search takes memory in the square of this, and time in this times the lines.
constexpr std::ptrdiff_t kMostChanges = 256;
constexpr int kMostDivisions = 8;  // each takes that time once more

Lines split_lines(std::string_view text) {
  Lines out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

using LineSpan = std::span<const std::string_view>;

enum class Edit : char { kKeep = ' ', kRemove = '-', kAdd = '+' };

// Myers' greedy search for the shortest script that turns a into b; the furthest x of each diagonal
// is kept for every number of changes, to walk back. Nothing when it takes too many changes.
std::optional<std::vector<Edit>> shortest_edits(LineSpan a, LineSpan b) {
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
  if (changes < 0) return std::nullopt;

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

struct Anchor {
  std::size_t in_a;
  std::size_t in_b;
};

// Lines that stand once in each text, as many as stand in the same order in both.
std::vector<Anchor> anchors_of(LineSpan a, LineSpan b) {
  struct Seen {
    std::size_t times_a = 0;
    std::size_t times_b = 0;
    std::size_t at_b = 0;
  };
  std::unordered_map<std::string_view, Seen> seen;
  for (const std::string_view line : a) ++seen[line].times_a;
  for (std::size_t i = 0; i < b.size(); ++i) {
    Seen& one = seen[b[i]];
    ++one.times_b;
    one.at_b = i;
  }
  std::vector<Anchor> common;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Seen& one = seen[a[i]];
    if (one.times_a == 1 && one.times_b == 1) common.push_back({i, one.at_b});
  }
  // The longest run that rises in b: for each length the one that ends lowest, and what came
  // before.
  std::vector<std::size_t> ends;
  std::vector<std::size_t> before(common.size());
  for (std::size_t i = 0; i < common.size(); ++i) {
    const auto place = std::ranges::lower_bound(ends, common[i].in_b, {},
                                                [&](std::size_t end) { return common[end].in_b; });
    before[i] = place == ends.begin() ? common.size() : *(place - 1);
    if (place == ends.end()) {
      ends.push_back(i);
    } else {
      *place = i;
    }
  }
  std::vector<Anchor> out;
  for (std::size_t i = ends.empty() ? common.size() : ends.back(); i != common.size();
       i = before[i])
    out.push_back(common[i]);
  std::ranges::reverse(out);
  return out;
}

// Where there are too many changes for the search, lines that are surely the same divide the texts,
// and what stands between them is compared by itself.
void add_edits(LineSpan a, LineSpan b, int divisions, std::vector<Edit>& out) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  out.insert(out.end(), head, Edit::kKeep);
  a = a.subspan(head, a.size() - head - tail);
  b = b.subspan(head, b.size() - head - tail);
  if (const auto shortest = shortest_edits(a, b)) {
    out.insert(out.end(), shortest->begin(), shortest->end());
  } else if (const auto anchors = divisions > 0 ? anchors_of(a, b) : std::vector<Anchor>();
             !anchors.empty()) {
    Anchor from{0, 0};
    for (const Anchor& anchor : anchors) {
      add_edits(a.subspan(from.in_a, anchor.in_a - from.in_a),
                b.subspan(from.in_b, anchor.in_b - from.in_b), divisions - 1, out);
      out.push_back(Edit::kKeep);
      from = {anchor.in_a + 1, anchor.in_b + 1};
    }
    add_edits(a.subspan(from.in_a), b.subspan(from.in_b), divisions - 1, out);
  } else {
    out.insert(out.end(), a.size(), Edit::kRemove);
    out.insert(out.end(), b.size(), Edit::kAdd);
  }
  out.insert(out.end(), tail, Edit::kKeep);
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
  std::vector<Edit> edits;
  add_edits(a, b, kMostDivisions, edits);

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
