#include "cli/cel_command.h"

#include "cel/format_value.h"
#include "cli/app.h"
#include "cli/cel_outline.h"
#include "cli/cel_output.h"
#include "cli/cel_repl.h"
#include "cli/cel_session.h"
#include "cli/terminal.h"
#include "rules/crd_rules.h"
#include "value/json_writer.h"
#include "value/yaml_writer.h"

namespace strake::cli {
namespace {

enum class CelFormat : std::uint8_t { kText, kJson, kYaml };

CelFormat cel_format(const Arguments& args) {
  const std::string_view text = args.text("output");
  if (text == "json") return CelFormat::kJson;
  return text == "yaml" ? CelFormat::kYaml : CelFormat::kText;
}

std::string written(const value::Value& v, CelFormat format) {
  if (format == CelFormat::kYaml) return value::to_yaml(v);
  return value::to_json(v, {.indent = 2}) + "\n";
}

// Objects made for output, members given in the order of their names.
value::Value object_of(std::initializer_list<value::Member> sorted, Arena& arena) {
  auto* members = arena.allocate_array<value::Member>(sorted.size());
  std::ranges::copy(sorted, members);
  return value::Value::object({members, sorted.size()});
}

value::Value array_of(const std::vector<value::Value>& items, Arena& arena) {
  auto* copy = arena.allocate_array<value::Value>(items.size());
  std::ranges::copy(items, copy);
  return value::Value::array({copy, items.size()});
}

value::Value string_of(std::string_view text, Arena& arena) {
  return value::Value::string(arena.copy(text));
}

ExitCode exit_for(const cel::Value& value) {
  return value.is_error() || value.is_false() ? ExitCode::kFindings : ExitCode::kFine;
}

// One expression, in one of the output formats.
class CelAnswer {
 public:
  CelAnswer(const CelExpression& expression, CelFormat format, bool explain, Io& io)
      : expression_(expression), format_(format), explain_(explain), io_(io) {}

  // Without a value, when self is not given: only what can be told before.
  ExitCode print(const CelOutcome* outcome) {
    if (explain_) {
      if (format_ == CelFormat::kText) {
        explain_as_text(outcome);
      } else {
        io_.out.write(written(explanation(outcome), format_));
      }
    } else if (!outcome->value.is_error()) {
      io_.out.write(format_ == CelFormat::kText
                        ? printable(cel::to_literal(outcome->value, arena_)) + "\n"
                        : written(to_node(outcome->value, arena_), format_));
    }
    if (outcome == nullptr) return ExitCode::kFine;
    if (outcome->value.is_error()) {
      print_error(outcome->value.as_error().message, io_);
    }
    const ExitCode code = exit_for(outcome->value);
    if (code != ExitCode::kFine) io_.err.write(trace_of(expression_, io_.colour_err));
    return code;
  }

 private:
  void explain_as_text(const CelOutcome* outcome) {
    std::string out = "types\n" + types_of(expression_);
    out += fmt::format("cost\n  estimated  {}\n", cost_text(expression_));
    if (outcome != nullptr) {
      out += fmt::format("  at run time  {}\n", outcome->cost);
      if (!outcome->value.is_error()) {
        out += "value\n  " + printable(cel::to_literal(outcome->value, arena_)) + "\n";
      }
    }
    io_.out.write(out);
  }

  value::Value explanation(const CelOutcome* outcome) {
    using value::Value;
    std::vector<Value> parts;
    for (const CelPart& part : outline(expression_.ast)) {
      const Position at = expression_.ast.source.position(part.begin);
      parts.push_back(object_of({{"column", Value::integer(at.column)},
                                 {"line", Value::integer(at.line)},
                                 {"source", string_of(part.text, arena_)},
                                 {"type", string_of(cel::to_string(*part.expr->type), arena_)}},
                                arena_));
    }
    Value cost = object_of({{"limit", Value::unsigned_integer(rules::kExpressionCostLimit)},
                            {"max", Value::unsigned_integer(expression_.estimate.max)},
                            {"min", Value::unsigned_integer(expression_.estimate.min)},
                            {"occurrences", Value::unsigned_integer(expression_.occurrences)},
                            {"total", Value::unsigned_integer(expression_.total_cost())}},
                           arena_);
    Value out = object_of({{"cost", cost},
                           {"expressions", array_of(parts, arena_)},
                           {"type", string_of(cel::to_string(expression_.type()), arena_)}},
                          arena_);
    if (outcome != nullptr) {
      out.find("cost")->set("runtime", Value::unsigned_integer(outcome->cost), arena_);
      out.set(outcome->value.is_error() ? "error" : "value", to_node(outcome->value, arena_),
              arena_);
    }
    return out;
  }

  const CelExpression& expression_;
  CelFormat format_;
  bool explain_;
  Io& io_;
  Arena arena_;
};

ExitCode print_verdict(const resource::Verdict& verdict, CelFormat format, Io& io) {
  if (format == CelFormat::kText) {
    for (const value::FieldError& error : verdict.errors) {
      io.out.write(fmt::format("{} {}\n", paint(io.colour_out, Tone::kBad, "error:"),
                               printable(error.to_string())));
    }
    for (const std::string& warning : verdict.warnings) {
      io.out.write(fmt::format("{} {}\n", paint(io.colour_out, Tone::kWarning, "warning:"),
                               printable(warning)));
    }
    if (verdict.errors.empty()) {
      io.out.write(paint(io.colour_out, Tone::kGood, "accepted") + "\n");
    }
  } else {
    Arena arena;
    std::vector<value::Value> errors;
    for (const value::FieldError& error : verdict.errors) {
      errors.push_back(object_of({{"field", string_of(error.field(), arena)},
                                  {"message", string_of(error.body(), arena)},
                                  {"reason", string_of(error.reason(), arena)}},
                                 arena));
    }
    std::vector<value::Value> warnings;
    for (const std::string& text : verdict.warnings) warnings.push_back(string_of(text, arena));
    io.out.write(written(object_of({{"accepted", value::Value::boolean(verdict.errors.empty())},
                                    {"errors", array_of(errors, arena)},
                                    {"warnings", array_of(warnings, arena)}},
                                   arena),
                         format));
  }
  return verdict.errors.empty() ? ExitCode::kFine : ExitCode::kFindings;
}

Result<> load(const Arguments& args, CelSession& session) {
  if (args.given("version") && !args.given("schema")) {
    return fail(Code::kUsage, "--version needs --schema");
  }
  if (args.given("self") && args.given("old") && args.text("self") == "-" &&
      args.text("old") == "-") {
    return fail(Code::kUsage, "standard input cannot be both --self and --old");
  }
  if (args.given("schema")) {
    STRAKE_CHECK(session.load_schema(std::string(args.text("schema")), args.text("version")));
  }
  if (args.given("self")) STRAKE_CHECK(session.load_self(std::string(args.text("self"))));
  if (args.given("old")) STRAKE_CHECK(session.load_old(std::string(args.text("old"))));
  if (args.given("path")) STRAKE_CHECK(session.choose(args.text("path")));
  return {};
}

Result<ExitCode> run_expression(std::string_view text, const Arguments& args, CelSession& session,
                                Io& io) {
  STRAKE_TRY(const auto expression, session.compile(text));
  if (!expression) {
    io.err.write(printable_lines(expression.error()) + "\n");
    return ExitCode::kInput;
  }
  CelAnswer answer(*expression, cel_format(args), args.on("explain"), io);
  if (!expression->missing.empty()) {
    if (args.on("explain")) return answer.print(nullptr);
    return fail(Code::kUsage, "the expression looks at {}: name a document with {}",
                expression->missing, expression->missing == "self" ? "--self" : "--old");
  }
  Arena arena;
  const CelOutcome outcome = session.evaluate(*expression, arena);
  return answer.print(&outcome);
}

Result<ExitCode> dispatch_cel(const Arguments& args, Io& io) {
  const bool rules = args.on("rules");
  const bool expression = !args.operands().empty();
  if (rules && (expression || args.on("explain") || args.given("path"))) {
    return fail(Code::kUsage,
                "--rules judges the whole object by the schema's own rules, and "
                "takes no expression, --path or --explain");
  }
  if (!rules && !expression) {
    if (args.given("output") || args.on("explain")) {
      return fail(Code::kUsage, "--output and --explain need an expression");
    }
    for (const std::string_view flag : {"self", "old", "schema"}) {
      if (args.given(flag) && args.text(flag) == "-") {
        return fail(Code::kUsage, "standard input holds the expressions: --{} needs a file", flag);
      }
    }
  }
  CelSession session(io);
  STRAKE_CHECK(load(args, session));
  if (rules) {
    STRAKE_TRY(const resource::Verdict verdict, session.judge());
    return print_verdict(verdict, cel_format(args), io);
  }
  if (!expression) return run_cel_repl(session, io);
  return run_expression(args.operands().front(), args, session, io);
}

ExitCode run_cel(const Arguments& args, Io& io) {
  const auto code = dispatch_cel(args, io);
  if (code) return *code;
  print_error(code.error().to_string(), io);
  return ExitCode::kInput;
}

constexpr std::string_view kCelFormats[] = {"text", "json", "yaml"};

constexpr FlagSpec kCelFlags[] = {
    {.name = "self",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "the document that self stands for; - reads standard input"},
    {.name = "old",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "the document that oldSelf stands for"},
    {.name = "schema",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "a CRD, or an openAPIV3Schema alone, that gives self its types"},
    {.name = "version",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "version of the CRD; else that of self, else the stored one"},
    {.name = "path",
     .kind = FlagKind::kText,
     .value_name = "PATH",
     .summary = "let self be a part of the document: .spec.items[0]"},
    {.name = "output",
     .letter = 'o',
     .kind = FlagKind::kChoice,
     .value_name = "FORMAT",
     .choices = kCelFormats,
     .fallback = "text",
     .summary = "print the value as text (as CEL spells it), json or yaml"},
    {.name = "explain", .summary = "show the type of every sub-expression, and costs"},
    {.name = "rules", .summary = "run the schema's own rules instead, as the API server does"},
};

constexpr Example kCelExamples[] = {
    {"strake cel 'self.spec.replicas > 1' --self app.yaml", "is it so? exit 1 when not"},
    {"strake cel 'size(self.plants)' --path .spec --schema crd.yaml --explain",
     "what are the types, and what may it cost"},
    {"strake cel --rules --schema crd.yaml --self new.yaml --old old.yaml",
     "would the API server take this update"},
    {"strake cel --self app.yaml", "try expressions one after another"},
};

}  // namespace

constinit const Command kCelCommand = {
    .name = "cel",
    .group = Group::kAuthor,
    .summary = "evaluate and explain CEL expressions over documents",
    .description =
        "Compiles and runs an expression as a rule of a CRD is: with the libraries, the checks and "
        "the cost limits of the API server. With --schema the documents are pruned and defaulted "
        "first, and the expression is checked against their types; without it they are dyn.\n\n"
        "When the result is false or the evaluation fails, standard error shows the value of every "
        "sub-expression, and the exit code is 1. An expression that does not compile is 2, as any "
        "other input that cannot be used.\n\n"
        "Without an expression, expressions are read one a line; :help lists what else a line can "
        "be.",
    .flags = kCelFlags,
    .operands = {.usage = "[EXPRESSION]", .at_most = 1},
    .examples = kCelExamples,
    .run = run_cel,
};

}  // namespace strake::cli
