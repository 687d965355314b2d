#include "cli/cel/cel_command.h"

#include "cel/value/format_value.h"
#include "cli/cel/cel_outline.h"
#include "cli/cel/cel_output.h"
#include "cli/cel/cel_repl.h"
#include "cli/cel/cel_session.h"
#include "cli/io/terminal.h"
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

// "Garden/kitchen: " where the answers of several documents stand side by side.
std::string headed(std::string_view label, std::string_view text) {
  return label.empty() ? std::string(text) : fmt::format("{}: {}", printable(label), text);
}

// One expression, in one of the output formats. The label names the document when there are
// several.
class CelAnswer {
 public:
  CelAnswer(const CelExpression& expression, CelFormat format, bool explain, std::string label,
            Io& io)
      : expression_(expression),
        format_(format),
        explain_(explain),
        label_(std::move(label)),
        io_(io) {}

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
                        ? headed(label_, printable(cel::to_literal(outcome->value, arena_))) + "\n"
                        : written(to_node(outcome->value, arena_), format_));
    }
    if (outcome == nullptr) return ExitCode::kFine;
    const ExitCode code = exit_for(outcome->value);
    if (code == ExitCode::kFine) return code;
    if (outcome->value.is_error()) {
      print_error(headed(label_, outcome->value.as_error().message), io_);
    } else if (!label_.empty()) {
      io_.err.write(headed(label_, "false\n"));
    }
    io_.err.write(trace_of(expression_, io_.color_err));
    return code;
  }

 private:
  void explain_as_text(const CelOutcome* outcome) {
    std::string out = label_.empty() ? "" : printable(label_) + "\n";
    out += "types\n" + types_of(expression_);
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
      out.object_at("cost", arena_).set("runtime", Value::unsigned_integer(outcome->cost), arena_);
      out.set(outcome->value.is_error() ? "error" : "value", to_node(outcome->value, arena_),
              arena_);
    }
    return out;
  }

  const CelExpression& expression_;
  CelFormat format_;
  bool explain_;
  std::string label_;
  Io& io_;
  Arena arena_;
};

ExitCode print_verdict(const resource::Verdict& verdict, CelFormat format, std::string_view label,
                       Io& io) {
  if (format == CelFormat::kText) {
    for (const value::FieldError& error : verdict.errors) {
      io.out.write(fmt::format("{} {}\n", paint(io.color_out, Tone::kBad, "error:"),
                               headed(label, printable(error.to_string()))));
    }
    for (const std::string& warning : verdict.warnings) {
      io.out.write(fmt::format("{} {}\n", paint(io.color_out, Tone::kWarning, "warning:"),
                               headed(label, printable(warning))));
    }
    if (verdict.errors.empty()) {
      io.out.write(headed(label, paint(io.color_out, Tone::kGood, "accepted")) + "\n");
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

// Expressions typed one after another need one document; everything else takes each of a file.
Result<> load(const Arguments& args, bool interactive, CelSession& session) {
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
  if (args.given("self")) {
    const std::string file(args.text("self"));
    STRAKE_CHECK(interactive ? session.load_self(file) : session.load_selves(file));
  }
  if (args.given("old")) {
    STRAKE_CHECK(session.load_old(std::string(args.text("old"))));
    if (session.count_selves() > 1) {
      return fail(Code::kUsage, "--old needs one document in --self, got {}",
                  session.count_selves());
    }
  }
  if (args.given("path")) STRAKE_CHECK(session.choose(args.text("path")));
  return {};
}

Result<ExitCode> run_expression(std::string_view text, const Arguments& args, CelSession& session,
                                std::string label, Io& io) {
  STRAKE_TRY(const auto expression, session.compile(text));
  if (!expression) {
    io.err.write(printable_lines(expression.error()) + "\n");
    return ExitCode::kInput;
  }
  CelAnswer answer(*expression, cel_format(args), args.on("explain"), std::move(label), io);
  if (!expression->missing.empty()) {
    if (args.on("explain")) return answer.print(nullptr);
    return fail(Code::kUsage, "the expression looks at {}: name a document with {}",
                expression->missing, expression->missing == "self" ? "--self" : "--old");
  }
  Arena arena;
  const CelOutcome outcome = session.evaluate(*expression, arena);
  return answer.print(&outcome);
}

Result<ExitCode> run_once(const Arguments& args, CelSession& session, std::string label, Io& io) {
  if (!args.on("rules")) {
    return run_expression(args.operands().front(), args, session, std::move(label), io);
  }
  STRAKE_TRY(const resource::Verdict verdict, session.judge());
  return print_verdict(verdict, cel_format(args), label, io);
}

// The worst code wins. An expression that does not compile for one document ends the run.
Result<ExitCode> run_over_each(const Arguments& args, CelSession& session, Io& io) {
  ExitCode worst = ExitCode::kFine;
  for (std::size_t i = 0; i < session.count_selves(); ++i) {
    session.use_self(i);
    if (i > 0 && cel_format(args) == CelFormat::kYaml) io.out.write("---\n");
    STRAKE_TRY(const ExitCode code, run_once(args, session, session.self_label(i), io));
    if (code == ExitCode::kInput) return code;
    worst = std::max(worst, code);
  }
  return worst;
}

Result<ExitCode> dispatch_cel(const Arguments& args, Io& io) {
  const bool rules = args.on("rules");
  const bool expression = !args.operands().empty();
  if (rules && (expression || args.on("explain") || args.given("path"))) {
    return fail(Code::kUsage,
                "--rules validates the whole object with the schema's own rules, and "
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
  const bool interactive = !rules && !expression;
  STRAKE_CHECK(load(args, interactive, session));
  if (interactive) return run_cel_repl(session, io);
  if (session.count_selves() > 1) return run_over_each(args, session, io);
  return run_once(args, session, {}, io);
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
     .summary = "the document to use as self; with several, evaluate for each; - is stdin"},
    {.name = "old",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "the document to use as oldSelf"},
    {.name = "schema",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "a CRD or an openAPIV3Schema with the types of self"},
    {.name = "version",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "version of the CRD; default: that of self, then the storage version"},
    {.name = "path",
     .kind = FlagKind::kText,
     .value_name = "PATH",
     .summary = "use this part of the document as self: .spec.items[0]"},
    {.name = "output",
     .letter = 'o',
     .kind = FlagKind::kChoice,
     .value_name = "FORMAT",
     .choices = kCelFormats,
     .fallback = "text",
     .summary = "print the value as text (a CEL literal), json or yaml"},
    {.name = "explain", .summary = "show costs and the type of every sub-expression"},
    {.name = "rules", .summary = "run the schema's own rules, as the API server does"},
};

constexpr Example kCelExamples[] = {
    {"strake cel 'self.spec.replicas > 1' --self app.yaml",
     "evaluate a condition; exits 1 when it is false"},
    {"strake cel 'size(self.plants)' --path .spec --schema crd.yaml --explain",
     "show types and costs"},
    {"strake cel --rules --schema crd.yaml --self new.yaml --old old.yaml",
     "would the API server accept this update?"},
    {"strake cel --self app.yaml", "try expressions interactively"},
};

}  // namespace

constinit const Command kCelCommand = {
    .name = "cel",
    .group = Group::kAuthor,
    .summary = "evaluate and explain CEL expressions over documents",
    .description =
        "Evaluates an expression like a validation rule of a CRD: with the libraries, checks and "
        "cost limits of the API server. With --schema, documents are pruned and defaulted first, "
        "and the expression is checked against their types; without it their type is dyn. If "
        "--self has several documents, the expression is evaluated for each.\n\n"
        "If the result is false or the evaluation fails, standard error shows the value of every "
        "sub-expression, and the exit code is 1. The exit code for invalid input, such as an "
        "expression that does not compile, is 2.\n\n"
        "Without an expression, it reads expressions from standard input, one per line; :help "
        "lists the other commands.",
    .flags = kCelFlags,
    .operands = {.usage = "[EXPRESSION]", .at_most = 1},
    .examples = kCelExamples,
    .run = run_cel,
};

}  // namespace strake::cli
