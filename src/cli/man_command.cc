#include "cli/man_command.h"

#include "cli/command/help.h"
#include "cli/command/version.h"
#include "cli/commands.h"

namespace strake::cli {
namespace {

// Text as roff shows it: a backslash, a leading dot and a leading quote would be commands, and a
// bare dash a hyphen.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

void add_paragraphs(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    out += fmt::format("{}\n", roff(text.substr(0, end)));
    if (end == std::string_view::npos) break;
    out += ".PP\n";
    text.remove_prefix(end + 2);
  }
}

void add_flags(std::span<const FlagSpec> flags, std::string& out) {
  for (const FlagSpec& flag : flags) {
    std::string_view label;
    const std::string whole = flag_label(flag);
    label = whole;
    label.remove_prefix(label.find_first_not_of(' '));
    out += fmt::format(".TP\n.B {}\n{}", roff(label), roff(flag.summary));
    out += flag.fallback.empty() ? ".\n" : fmt::format(" (default {}).\n", roff(flag.fallback));
  }
}

ExitCode run_man(const Arguments&, Io& io) {
  std::string out =
      fmt::format(".TH STRAKE 1 \"\" \"strake {}\" \"User Commands\"\n", version_number());
  out +=
      ".SH NAME\nstrake \\- the Kubernetes API machinery for custom resources in one program\n"
      ".SH SYNOPSIS\n.B strake\n[\\fIFLAGS\\fR] \\fICOMMAND\\fR [\\fIFLAGS\\fR] "
      "[\\fIARGUMENTS\\fR]\n"
      ".SH OPTIONS\n";
  add_flags(root_flags(), out);
  out += ".SH COMMANDS\n";
  for (const Command* command : commands()) {
    if (command->hidden) continue;
    out += fmt::format(".SS \"strake {} [FLAGS] {}\"\n", roff(command->name),
                       roff(command->operands.usage));
    add_paragraphs(command->description.empty() ? command->summary : command->description, out);
    for (const ShownFlags& section : shown_flags(*command)) {
      if (section.title != kFirstSection) out += fmt::format(".PP\n{}:\n", roff(section.title));
      add_flags(section.flags, out);
    }
    for (const Example& example : command->examples) {
      out += fmt::format(".PP\n.nf\n.RS\n{}\n.RE\n.fi\n{}.\n", roff(example.command_line),
                         roff(example.meaning));
    }
  }
  out += ".SH \"EXIT STATUS\"\n";
  for (const ExitCodeRow& row : exit_code_table()) {
    out += fmt::format(".TP\n.B {}\n{}: {}.\n", static_cast<int>(row.code), roff(row.name),
                       roff(row.meaning));
  }
  out +=
      ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nDisables colored output, unless\n.B "
      "\\-\\-color=always\n"
      "is given.\n";
  io.out.write(out);
  return ExitCode::kFine;
}

}  // namespace

constinit const Command kManCommand = {
    .name = "internal man",
    .summary = "print the man page",
    .hidden = true,
    .run = run_man,
};

}  // namespace strake::cli
