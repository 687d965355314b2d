#include "server/profile.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <thread>

#include "base/input_file.h"

// The handler may interrupt anything, an allocation too: it takes no lock, allocates nothing, and
// writes to a place in a fixed array that it alone has been given. Callers are found by frame
// pointers where the code has them; each is read through the kernel, since a register that holds no
// frame pointer may point anywhere. Code without them gives the innermost address, which is right.

namespace strake::server {
namespace {

constexpr std::size_t kMostFrames = 32;
// At a hundred a second, two cores fill this in some minutes; it takes 8 MiB, while it is there.
constexpr std::size_t kMostSamples = 32'768;

struct Sample {
  std::atomic<std::uint32_t> frames{0};  // 0 while it is being written
  std::array<std::uintptr_t, kMostFrames> stack{};
};

struct Recording {
  std::atomic<std::size_t> taken{0};
  std::atomic<std::uint64_t> dropped{0};
  std::array<Sample, kMostSamples> samples;
};

std::atomic<bool> in_use{false};
std::atomic<Recording*> recording{nullptr};
std::atomic<int> handlers{0};

struct Frame {
  std::uintptr_t caller_frame;
  std::uintptr_t return_address;
};

bool read_frame(std::uintptr_t at, Frame& out) {
  const iovec local{&out, sizeof out};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it comes from a register
  const iovec remote{reinterpret_cast<void*>(at), sizeof out};
  return ::syscall(SYS_process_vm_readv, ::getpid(), &local, 1UL, &remote, 1UL, 0UL) ==
         static_cast<long>(sizeof out);
}

std::uint32_t walk(const ucontext_t& context, std::array<std::uintptr_t, kMostFrames>& out) {
#if defined(__x86_64__)
  const auto pc = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
  auto frame = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RBP]);
  const auto stack = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  const auto pc = static_cast<std::uintptr_t>(context.uc_mcontext.pc);
  auto frame = static_cast<std::uintptr_t>(context.uc_mcontext.regs[29]);
  const auto stack = static_cast<std::uintptr_t>(context.uc_mcontext.sp);
#else
#error "where the registers of an interrupted thread are is known for x86-64 and arm64"
#endif
  // More than this between two frames is no stack of ours.
  constexpr std::uintptr_t kLargestFrame = 1 << 20;
  std::uint32_t count = 0;
  out[count++] = pc;
  std::uintptr_t below = stack;
  while (count < kMostFrames) {
    Frame read{};
    const bool plausible =
        frame >= below && frame - below < kLargestFrame && frame % sizeof(void*) == 0;
    if (!plausible || !read_frame(frame, read) || read.return_address < 4096) break;
    // The call itself, not what follows it.
    out[count++] = read.return_address - 1;
    below = frame + 1;
    frame = read.caller_frame;
  }
  return count;
}

void on_timer(int, siginfo_t*, void* context) {
  const int kept_errno = errno;
  handlers.fetch_add(1);
  if (Recording* to = recording.load(); to != nullptr) {
    const std::size_t at = to->taken.fetch_add(1, std::memory_order_relaxed);
    if (at < kMostSamples) {
      Sample& sample = to->samples[at];
      const std::uint32_t frames = walk(*static_cast<const ucontext_t*>(context), sample.stack);
      sample.frames.store(frames, std::memory_order_release);
    } else {
      to->dropped.fetch_add(1, std::memory_order_relaxed);
    }
  }
  handlers.fetch_sub(1);
  errno = kept_errno;
}

void set_timer(std::chrono::microseconds period) {
  itimerval timer{};
  timer.it_interval.tv_usec = static_cast<suseconds_t>(period.count());
  timer.it_value = timer.it_interval;
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

// The wire format of protocol buffers: as much as profile.proto needs.
class Message {
 public:
  void number(unsigned field, std::uint64_t value) {
    varint(field << 3U);
    varint(value);
  }
  void bytes(unsigned field, std::string_view value) {
    varint(field << 3U | 2U);
    varint(value.size());
    out_ += value;
  }
  void varint(std::uint64_t value) {
    while (value >= 0x80) {
      out_ += static_cast<char>(value | 0x80U);
      value >>= 7U;
    }
    out_ += static_cast<char>(value);
  }
  const std::string& text() const { return out_; }

 private:
  std::string out_;
};

// Texts stand once; the first is the empty one.
class Strings {
 public:
  std::uint64_t at(const std::string& text) {
    const auto [found, is_new] = index_.emplace(text, order_.size());
    if (is_new) order_.push_back(text);
    return found->second;
  }
  const std::vector<std::string>& all() const { return order_; }

 private:
  std::map<std::string, std::uint64_t> index_{{"", 0}};
  std::vector<std::string> order_{""};
};

std::string value_type(Strings& strings, const char* type, const char* unit) {
  Message out;
  out.number(1, strings.at(type));
  out.number(2, strings.at(unit));
  return out.text();
}

}  // namespace

std::vector<MappedFile> mapped_files() {
  std::vector<MappedFile> out;
  constexpr std::uint64_t kMostBytes = 16 << 20;
  const auto file = InputFile::open("/proc/self/maps", Pipes::kRefused);
  const Result<std::string> text =
      file ? file->read_all(kMostBytes) : std::unexpected(file.error());
  std::istringstream maps(text.value_or(""));
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    MappedFile one;
    std::string permissions;
    std::string device;
    std::string inode;
    char dash = 0;
    fields >> std::hex >> one.start >> dash >> one.end >> permissions >> one.offset >> device >>
        inode >> std::ws;
    std::getline(fields, one.path);
    if (permissions.contains('x') && !one.path.empty()) out.push_back(std::move(one));
  }
  return out;
}

Result<std::unique_ptr<CpuProfile>> CpuProfile::start() {
  if (in_use.exchange(true)) return fail(Code::kAlreadyExists, "cpu profiling already in use");
  recording.store(new Recording);
  struct sigaction action{};
  action.sa_sigaction = on_timer;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  if (::sigaction(SIGPROF, &action, nullptr) != 0) {
    delete recording.exchange(nullptr);
    in_use.store(false);
    return fail(Code::kIo, "sigaction: {}", std::strerror(errno));
  }
  set_timer(kPeriod);
  return std::unique_ptr<CpuProfile>(new CpuProfile);
}

CpuProfile::~CpuProfile() { stop(); }

void CpuProfile::stop() {
  set_timer(std::chrono::microseconds(0));
  // The handler stays: a signal that is on its way would end the process otherwise.
  const std::unique_ptr<Recording> kept(recording.exchange(nullptr));
  while (handlers.load() != 0) std::this_thread::yield();
  in_use.store(false);
}

StackCounts CpuProfile::stacks() const {
  StackCounts out;
  const Recording& from = *recording.load();
  const std::size_t count = std::min(from.taken.load(), kMostSamples);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t frames = from.samples[i].frames.load(std::memory_order_acquire);
    if (frames == 0) continue;
    const auto& stack = from.samples[i].stack;
    ++out[std::vector<std::uintptr_t>(stack.begin(), stack.begin() + frames)];
  }
  return out;
}

std::uint64_t CpuProfile::dropped() const { return recording.load()->dropped.load(); }

std::string to_pprof(const StackCounts& stacks, const std::vector<MappedFile>& files,
                     WallTime begun, std::chrono::nanoseconds took,
                     std::chrono::nanoseconds period) {
  Strings strings;
  Message out;
  out.bytes(1, value_type(strings, "samples", "count"));
  out.bytes(1, value_type(strings, "cpu", "nanoseconds"));
  std::map<std::uintptr_t, std::uint64_t> locations;
  for (const auto& [stack, count] : stacks) {
    Message ids;
    for (const std::uintptr_t address : stack)
      ids.varint(locations.emplace(address, locations.size() + 1).first->second);
    Message values;
    values.varint(count);
    values.varint(count * static_cast<std::uint64_t>(period.count()));
    Message sample;
    sample.bytes(1, ids.text());
    sample.bytes(2, values.text());
    out.bytes(2, sample.text());
  }
  const auto file_of = [&](std::uintptr_t address) -> std::uint64_t {
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (files[i].start <= address && address < files[i].end) return i + 1;
    }
    return 0;
  };
  for (std::size_t i = 0; i < files.size(); ++i) {
    Message mapping;
    mapping.number(1, i + 1);
    mapping.number(2, files[i].start);
    mapping.number(3, files[i].end);
    mapping.number(4, files[i].offset);
    mapping.number(5, strings.at(files[i].path));
    out.bytes(3, mapping.text());
  }
  for (const auto& [address, id] : locations) {
    Message location;
    location.number(1, id);
    if (const std::uint64_t file = file_of(address)) location.number(2, file);
    location.number(3, address);
    out.bytes(4, location.text());
  }
  const std::string period_type = value_type(strings, "cpu", "nanoseconds");
  for (const std::string& text : strings.all()) out.bytes(6, text);
  out.number(
      9,
      static_cast<std::uint64_t>(
          std::chrono::duration_cast<std::chrono::nanoseconds>(begun.time_since_epoch()).count()));
  out.number(10, static_cast<std::uint64_t>(took.count()));
  out.bytes(11, period_type);
  out.number(12, static_cast<std::uint64_t>(period.count()));
  return out.text();
}

}  // namespace strake::server
