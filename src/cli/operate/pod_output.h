#pragma once
// What comes from a pod, handed to a stream of the program as it comes.
#include "cli/io/io.h"
#include "kube/pods/streams.h"

namespace strake::cli {

class PodOutput final : public kube::OutputStream {
 public:
  // The stream must outlive it.
  explicit PodOutput(Output& out) : out_(out) {}
  Result<> write(std::string_view bytes) override {
    out_.write(bytes);
    return out_.flush();
  }

 private:
  Output& out_;
};

}  // namespace strake::cli
