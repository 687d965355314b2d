#include "cli/cel/cel_repl.h"

#include <unistd.h>

#include <algorithm>

#include "base/trim.h"
#include "cel/value/format_value.h"
#include "cli/cel/cel_output.h"
#include "cli/command/args.h"
#include "cli/io/line_editor.h"
#include "cli/io/line_history.h"
#include "cli/io/terminal.h"

namespace strake::cli {
namespace {

constexpr std::string_view kPrompt = "cel> ";
constexpr std::uint64_t kMaxLine = 1 << 20;

constexpr std::string_view kReplHelp =
    "EXPRESSION     its value and type\n"
    ":self FILE     the document to use as self\n"
    ":old FILE      the document to use as oldSelf\n"
    ":schema FILE   a CRD or an openAPIV3Schema with their types\n"
    ":path PATH     the part of them to use: .spec\n"
    ":type EXPR     the type of every sub-expression\n"
    ":cost EXPR     the estimated cost, and the cost at run time\n"
    ":help          this list\n"
    ":quit          exit, like Ctrl-D\n";

class CelRepl {
 public:
  CelRepl(CelSession& session, Io& io) : session_(session), io_(io) {}

  // False when it is time to stop.
  bool answer(std::string_view line) {
    line = trim(line, kBlanks);
    if (line == ":quit" || line == ":q") return false;
    if (line.empty() || line.starts_with("//")) return true;
    const Result<ExitCode> code = line.starts_with(':') ? command(line) : evaluate(line);
    if (!code) print_error(code.error().to_string(), io_);
    worst_ = std::max(worst_, code.value_or(ExitCode::kInput));
    return true;
  }

  ExitCode worst() const { return worst_; }

 private:
  Result<ExitCode> command(std::string_view line) {
    const std::size_t space = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view name = line.substr(1, space - 1);
    const std::string_view rest = trim(line.substr(space), kBlanks);
    if (name == "help") {
      io_.out.write(kReplHelp);
      return ExitCode::kFine;
    }
    constexpr std::string_view kNames[] = {"self", "old",  "schema", "path",
                                           "type", "cost", "help",   "quit"};
    if (std::ranges::find(kNames, name) == std::end(kNames)) {
      return fail(Code::kUsage, "unknown command :{}{}; :help lists them", name,
                  suggestion(name, kNames));
    }
    if (rest.empty()) {
      const bool expression = name == "type" || name == "cost";
      return fail(Code::kUsage, ":{} needs {}", name,
                  expression       ? "an expression"
                  : name == "path" ? "a path"
                                   : "a file");
    }
    if (rest == "-") return fail(Code::kUsage, "standard input holds the expressions");
    if (name == "type" || name == "cost") return explain(rest, name == "cost");
    STRAKE_CHECK(load(name, std::string(rest)));
    return ExitCode::kFine;
  }

  Result<> load(std::string_view name, const std::string& what) {
    if (name == "self") return session_.load_self(what);
    if (name == "old") return session_.load_old(what);
    if (name == "schema") return session_.load_schema(what, "");
    return session_.choose(what);
  }

  ExitCode refuse(const std::string& issues) {
    io_.err.write(printable_lines(issues) + "\n");
    return ExitCode::kInput;
  }

  Result<ExitCode> explain(std::string_view text, bool cost) {
    STRAKE_TRY(const CelCompiled expression, session_.compile(text));
    if (!expression) return refuse(expression.error());
    if (!cost) {
      io_.out.write(types_of(*expression));
      return ExitCode::kFine;
    }
    io_.out.write(fmt::format("estimated  {}\n", cost_text(*expression)));
    if (expression->missing.empty()) {
      Arena arena;
      io_.out.write(fmt::format("at run time  {}\n", session_.evaluate(*expression, arena).cost));
    }
    return ExitCode::kFine;
  }

  Result<ExitCode> evaluate(std::string_view text) {
    STRAKE_TRY(const CelCompiled expression, session_.compile(text));
    if (!expression) return refuse(expression.error());
    if (!expression->missing.empty()) {
      return fail(Code::kUsage, "the expression looks at {}: give it with :{} FILE",
                  expression->missing, expression->missing == "self" ? "self" : "old");
    }
    Arena arena;
    const cel::Value value = session_.evaluate(*expression, arena).value;
    if (value.is_error()) {
      print_error(value.as_error().message, io_);
      io_.err.write(trace_of(*expression, io_.color_err));
      return ExitCode::kFindings;
    }
    const cel::Type& type = expression->type();
    io_.out.write(fmt::format(
        "{} {}\n", printable(cel::to_literal(value, arena)),
        paint(io_.color_out, Tone::kDim,
              ": " + (type.is_dyn() ? std::string(cel::type_name(value)) : cel::to_string(type)))));
    if (!value.is_false()) return ExitCode::kFine;
    io_.err.write(trace_of(*expression, io_.color_err));
    return ExitCode::kFindings;
  }

  CelSession& session_;
  Io& io_;
  ExitCode worst_ = ExitCode::kFine;
};

// False when the output is gone.
bool show_answers(Io& io) {
  const bool shown = io.out.flush().has_value();
  return io.err.flush().has_value() && shown;
}

ExitCode run_on_terminal(CelRepl& repl, TerminalLines& terminal, Io& io) {
  const LineHistory history("cel_history", io);
  for (const std::string& line : history.load()) terminal.editor().remember(line);
  io.out.write("CEL expressions, one a line; :help lists more, Ctrl-D ends\n");
  while (show_answers(io)) {
    const auto line = terminal.read(kPrompt);
    if (!line) {
      print_error(line.error().to_string(), io);
      return ExitCode::kInput;
    }
    if (!*line) break;
    terminal.editor().remember(**line);
    history.append(**line);
    if (!repl.answer(**line)) break;
  }
  return ExitCode::kFine;
}

}  // namespace

ExitCode run_cel_repl(CelSession& session, Io& io) {
  CelRepl repl(session, io);
  if (io.in_is_terminal && io.out_is_terminal) {
    if (auto terminal = TerminalLines::open(STDIN_FILENO, STDOUT_FILENO)) {
      return run_on_terminal(repl, *terminal, io);
    }
  }
  while (true) {
    const auto line = io.in.read_line(kMaxLine);
    if (!line) {
      print_error(line.error().to_string(), io);
      return ExitCode::kInput;
    }
    if (!*line || !repl.answer(**line) || !show_answers(io)) return repl.worst();
  }
}

}  // namespace strake::cli
