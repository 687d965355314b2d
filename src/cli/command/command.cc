#include "cli/command/command.h"

namespace strake::cli {
namespace {

constexpr std::string_view kColorChoices[] = {"auto", "always", "never"};
constexpr FlagSpec kColor{.name = "color",
                          .kind = FlagKind::kChoice,
                          .value_name = "WHEN",
                          .choices = kColorChoices,
                          .fallback = "auto",
                          .summary = "color the output: auto, always or never"};
constexpr FlagSpec kHelp{.name = "help", .letter = 'h', .summary = "show this help"};

constexpr FlagSpec kCommonFlags[] = {kColor, kHelp};
constexpr FlagSpec kRootFlags[] = {
    kColor,
    kHelp,
    {.name = "version",
     .letter = 'v',
     .summary = "show the version and the commit it was built from"}};

}  // namespace

std::span<const FlagSpec> common_flags() { return kCommonFlags; }
std::span<const FlagSpec> root_flags() { return kRootFlags; }

std::string_view to_string(Group group) {
  switch (group) {
    case Group::kCheck: return "check";
    case Group::kAuthor: return "author";
    case Group::kBuild: return "build";
    case Group::kServe: return "serve";
    case Group::kOperate: return "operate";
    case Group::kGeneral: return "general";
  }
  return "general";
}

}  // namespace strake::cli
