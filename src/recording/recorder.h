#pragma once
// Records what clients say and what they are answered: the outermost stage of the pipeline. One for
// a server; calls come from all loops. A request is written when it arrives, so the order of the
// lines is the order of arrival; its user is known with the answer. Bodies are read and masked on
// the loop that serves the call: a server that records is slower.
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "api/filters/stage.h"
#include "base/owned_fd.h"
#include "base/result.h"
#include "base/time.h"
#include "recording/lines.h"

namespace strake::recording {

class Recorder final : public api::Stage {
 public:
  struct Options {
    std::string path;  // made new, mode 0600
    // What does not fit any more is left out, and the recording says so.
    std::uint64_t most_bytes = std::uint64_t{256} << 20;
    const Clock* clock = &system_clock();
  };
  // Fails with kIo, naming the file.
  static Result<std::unique_ptr<Recorder>> open(Options options);

  // Until then nothing is recorded.
  void begin();

  api::Passage enter(api::Call& call) override;
  void leave(api::Call& call, http::Response& response) override;

 private:
  class Trail;
  struct Mark;
  class RecordedStream;
  Recorder(Options options, OwnedFd file) : options_(std::move(options)), file_(std::move(file)) {}
  double seconds() const;  // since it began; under mu_
  // The moment is filled in.
  template <typename OneLine>
  void write(OneLine line);
  void put(const Line& line);  // under mu_

  const Options options_;
  std::mutex mu_;
  const OwnedFd file_;                                // guarded by mu_
  bool recording_ = false;                            // guarded by mu_
  SteadyTime begun_{};                                // guarded by mu_
  std::uint64_t bytes_ = 0;                           // guarded by mu_
  RequestId last_ = 0;                                // guarded by mu_
  std::uint64_t last_connection_ = 0;                 // guarded by mu_
  std::map<std::string, std::uint64_t> connections_;  // by remote address; guarded by mu_
};

}  // namespace strake::recording
