#include "robustness/scaling_screening.h"

#include <dirent.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <limits>
#include <span>
#include <thread>

namespace strake::testing {
namespace {

constexpr std::size_t kStep = 4;
constexpr std::size_t kSmallest = 25;
constexpr std::size_t kLarge = 6'400;
constexpr std::size_t kLargest = 25'600;
// Where something seems to grow, but no more than this, it is tried at larger sizes that take less
// than kLongest: where a cache is full there is a step, but only one.
constexpr double kStepGrowth = 8;
constexpr std::size_t kLargestOfAll = 102'400;
constexpr double kLongest = 0.1;
// So much more than the smallest input took can be measured well.
constexpr double kEnough = 3e-3;
// Inputs that take so much more are large, whatever their n.
constexpr double kPlenty = 24e-3;
// Too little to be told from noise, at the largest size.
constexpr double kTooLittle = 0.3e-3;
// So much is nothing to worry about when larger inputs are refused.
constexpr double kHarmless = 2e-3;
// The second of two steps over the first. Linear work gives 4, n log n up to 4.8, quadratic
// work 16; this much is reached when a quarter of the work at the largest of the sizes is
// quadratic.
constexpr double kLimit = 5.2;
// Where four times the input adds less than this part, there is nothing to judge.
constexpr double kLeastAdded = 0.25;
constexpr std::size_t kLeastTimes = 3;
constexpr std::size_t kMostTimes = 9;

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}
double process_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
double thread_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

// Whether a thread besides this one runs, or waits for a processor to run on.
bool others_run() {
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return false;
  const std::string own = std::to_string(gettid());
  bool out = false;
  while (const dirent* entry = readdir(tasks)) {
    const std::string id = entry->d_name;
    if (id.starts_with('.') || id == own) continue;
    std::ifstream in("/proc/self/task/" + id + "/stat");
    std::string line;
    std::getline(in, line);
    // "12 (name) S ...", and a name may hold parentheses.
    const std::size_t end = line.rfind(") ");
    if (end != std::string::npos && line.substr(end + 2, 1) == "R") out = true;
  }
  closedir(tasks);
  return out;
}

// Controllers go on when a request was answered: what they do is part of it, and no part of the
// next. Returns the time that this thread took to wait.
double wait_until_idle() {
  const double begin = thread_seconds();
  for (int tries = 0; tries < 20'000; ++tries) {
    const double before = process_seconds() - thread_seconds();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (process_seconds() - thread_seconds() - before < 1e-6 && !others_run()) break;
  }
  return thread_seconds() - begin;
}

// So that the processor time is that of the work, and no matter of what the system gives and takes
// back: memory is kept.
void keep_memory() {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TOP_PAD, 64 << 20);
}

Point measure(const ScalingCase& one, std::size_t n) {
  const Work work = one.prepare(n);
  wait_until_idle();
  const double begin = process_seconds();
  const int outcome = work.run();
  const double waited = wait_until_idle();
  const double end = process_seconds();
  work.clean_up();
  return {.n = n, .seconds = end - begin - waited, .outcome = outcome};
}

void measure_again(const ScalingCase& one, std::span<Point> points) {
  for (Point& point : points)
    point.seconds = std::min(point.seconds, measure(one, point.n).seconds);
}

// Over three points.
double growth_of(std::span<const Point> three) {
  const double first = three[1].seconds - three[0].seconds;
  const double second = three[2].seconds - three[1].seconds;
  return second / std::max(first, 1e-6);
}
bool adds(std::span<const Point> three) {
  return three[2].seconds - three[1].seconds >= kLeastAdded * three[1].seconds;
}
bool grows_too_fast(std::span<const Point> three) {
  return three[2].seconds > kTooLittle && adds(three) && growth_of(three) > kLimit;
}

std::vector<Point> climb(const ScalingCase& one) {
  std::vector<Point> out{measure(one, kSmallest)};
  measure_again(one, out);  // the first meets what is done once
  while (out.back().n < kLargest) {
    const double more = out.back().seconds - out.front().seconds;
    if (more >= kPlenty || (more >= kEnough && out.back().n >= kLarge)) break;
    out.push_back(measure(one, out.back().n * kStep));
    if (out.back().outcome == kNotTaken) {
      out.pop_back();
      break;
    }
  }
  // Elements may be so large that few of them are a large input.
  while (out.size() < 3 && out.front().n >= kStep)
    out.insert(out.begin(), measure(one, out.front().n / kStep));
  return out;
}

// How many of the points belong together with the first: inputs of a part end in the same way, and
// take no less than smaller ones. A refusal takes less than what it refuses, and would hide how
// that grew.
std::size_t length_of_part(std::span<const Point> points) {
  constexpr double kDrop = 0.6;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].outcome != points[0].outcome) return i;
    if (points[i - 1].seconds > kTooLittle && points[i].seconds < kDrop * points[i - 1].seconds)
      return i;
  }
  return points.size();
}

// Whether a part that is too short to be judged takes more than the one before it would have taken.
bool takes_more_than(const Point& before, std::span<const Point> part) {
  constexpr double kAllowance = 1.3;
  return std::ranges::any_of(part, [&](const Point& one) {
    const double ratio = static_cast<double>(one.n) / static_cast<double>(before.n);
    return one.seconds > kHarmless && one.seconds > kAllowance * ratio * before.seconds;
  });
}

// Measures the three sizes until they do not seem to grow too fast, or often enough to believe it.
bool still_too_fast(const ScalingCase& one, std::span<Point> three) {
  std::size_t times = 1;
  do {
    measure_again(one, three);
    ++times;
  } while (times < kLeastTimes || (times < kMostTimes && grows_too_fast(three)));
  return grows_too_fast(three);
}

}  // namespace

void prepare_screening() { keep_memory(); }

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kLinear: return "linear";
    case Verdict::kFlat: return "flat";
    case Verdict::kBounded: return "bounded";
    case Verdict::kUnclear: return "unclear";
  }
  return "";
}

Screened screen(const ScalingCase& one) {
  Screened out;
  std::vector<Point>& points = out.points;
  points = climb(one);
  const auto unclear_at = [&out](const Point& largest) {
    out.n = std::max({out.n, largest.n / kStep, std::size_t{1}});
  };
  std::size_t judged = 0;
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    end = begin + length_of_part(std::span(points).subspan(begin));
    const bool is_last = end == points.size();
    const std::span<Point> part = std::span(points).subspan(begin, end - begin);
    if (part.size() < 3) {
      if (begin == 0) continue;
      Point& before = points[begin - 1];
      for (std::size_t times = 1; times < kMostTimes && takes_more_than(before, part); ++times)
        measure_again(one, part);
      if (takes_more_than(before, part)) unclear_at(part.back());
      continue;
    }
    const std::span<Point> three = part.last(3);
    if (still_too_fast(one, three)) {
      const Point last = points.back();
      if (is_last && growth_of(three) < kStepGrowth && last.n < kLargestOfAll &&
          last.seconds < kLongest) {
        points.push_back(measure(one, last.n * kStep));
        if (length_of_part(std::span(points).subspan(begin)) == points.size() - begin) {
          end = begin;
          continue;
        }
        points.pop_back();
      }
      unclear_at(points[end - 1]);
    }
    const std::span<Point> last = std::span(points).subspan(end - 3, 3);
    out.growth = growth_of(last);
    const bool measured = adds(last) && last[2].seconds > kTooLittle;
    // It is no matter how little goes on to grow before it is refused.
    const bool goes_on = last[2].n < kLargest && last[2].seconds > kHarmless;
    if (!measured && goes_on) unclear_at(last[2]);
    out.verdict = measured ? Verdict::kLinear : Verdict::kFlat;
    ++judged;
  }
  if (judged == 0) {
    out.verdict = Verdict::kBounded;
    const Point most = std::ranges::max(points, {}, &Point::seconds);
    if (most.seconds > kHarmless) unclear_at(most);
  }
  if (out.n != 0) out.verdict = Verdict::kUnclear;
  return out;
}

}  // namespace strake::testing
