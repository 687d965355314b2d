// Reads JSON objects from a stream and prints those that are right as a server would store them,
// one on a line: pruned, and with their defaults. Memory does not grow with the input.
//
//   project_stream CRD.yaml OBJECTS.json
#include <strake/check.h>

#include <cstdio>
#include <fstream>
#include <sstream>

static std::string read(const char* name) {
  std::ostringstream text;
  text << std::ifstream(name, std::ios::binary).rdbuf();
  return std::move(text).str();
}

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: project_stream CRD OBJECTS\n", stderr), 2;
  strake::check::Options options = strake::check::Options::as_server();
  options.keep_output = true;
  // References that a loose schema makes would be answered here; a CRD makes none.
  options.resolve = [](std::string_view) -> std::optional<std::string> { return std::nullopt; };
  strake::check::Schemas schemas(options);
  if (auto added = schemas.add(read(argv[1]), argv[1]); !added) {
    return std::fprintf(stderr, "%s\n", added.error().c_str()), 2;
  }
  std::ifstream objects(argv[2], std::ios::binary);
  const auto next = [&](std::span<char> into) {
    objects.read(into.data(), static_cast<std::streamsize>(into.size()));
    return static_cast<std::size_t>(objects.gcount());
  };
  const strake::check::Report report =
      schemas.check_stream(next, argv[2], [](const strake::check::Report& one) {
        if (one.ok()) std::puts(one.objects[0].output.c_str());
        return true;
      });
  for (const strake::check::Finding& finding : report.findings)
    std::fprintf(stderr, "%s\n", finding.text().c_str());
  return report.ok() ? 0 : 1;
}
