// Checks a manifest against a CRD and prints what is wrong, with places.
//
//   check_file CRD.yaml MANIFEST.yaml
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
  if (argc != 3) return std::fputs("usage: check_file CRD MANIFEST\n", stderr), 2;
  strake::check::Schemas schemas(strake::check::Options::as_server());
  if (auto added = schemas.add(read(argv[1]), argv[1]); !added) {
    return std::fprintf(stderr, "%s\n", added.error().c_str()), 2;
  } else {
    for (const strake::check::SchemaWarning& warning : added->warnings)
      std::fprintf(stderr, "%s: warning: %s\n", warning.file.c_str(), warning.message.c_str());
  }
  const strake::check::Report report = schemas.check(read(argv[2]), argv[2]);
  for (const strake::check::Finding& finding : report.findings) std::puts(finding.text().c_str());
  return report.ok() ? 0 : 1;
}
