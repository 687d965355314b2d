// Compiles the schemas once and checks many manifests from several threads.
//
//   check_many CRD.yaml MANIFEST.yaml...
#include <strake/check.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

static std::string read(const char* name) {
  std::ostringstream text;
  text << std::ifstream(name, std::ios::binary).rdbuf();
  return std::move(text).str();
}

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: check_many CRD MANIFEST...\n", stderr), 2;
  strake::check::Options options = strake::check::Options::as_server();
  options.unknown = strake::check::UnknownFields::kStrict;
  strake::check::Schemas schemas(options);
  if (auto added = schemas.add(read(argv[1]), argv[1]); !added) {
    return std::fprintf(stderr, "%s\n", added.error().c_str()), 2;
  }
  std::atomic<int> next = 2;
  std::atomic<int> refused = 0;
  std::vector<std::jthread> workers;
  for (int i = 0; i < 4; ++i) {
    workers.emplace_back([&] {
      for (int file = next++; file < argc; file = next++)
        refused += !schemas.check(read(argv[file]), argv[file]).ok();
    });
  }
  workers.clear();  // waits for them
  std::printf("%d of %d manifests refused\n", refused.load(), argc - 2);
  return refused == 0 ? 0 : 1;
}
