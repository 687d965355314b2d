// Text of others, in every place where it can stand, through every command and every format:
// nothing of it may steer a terminal or a CI system. A command, an alias or a format without a case
// here fails the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/fake_io.h"
#include "cli/io/terminal.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::cli {
namespace {

// A line of its own that would be a command, colors, a bell, C1, and marks of direction.
constexpr std::string_view kHostile =
    "x\n::debug::pwned\n ##[debug]pwned\r\x1b[31m\a\x7f\u009b32m\u202e\u2066\u200f\u061c";
// The same within double quotes of YAML and JSON.
constexpr std::string_view kQuoted =
    "x\\n::debug::pwned\\n ##[debug]pwned\\r\\u001b[31m\\u0007\\u007f\\u009b32m\\u202e\\u2066"
    "\\u200f\\u061c";
// As the name of a file or an argument, which begins a line.
constexpr std::string_view kHostileName =
    "::debug::pwned\n::debug::again\x1b[31m\a\u009b\u202e\u2066.yaml";

// Each $ becomes the quoted text.
std::string filled(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '$') {
      out += kQuoted;
    } else {
      out += c;
    }
  }
  return out;
}

enum class Form : std::uint8_t { kText, kJson, kYaml, kXml, kData };

Form form_of(std::string_view output) {
  static const std::map<std::string_view, Form> kForms = {
      {"text", Form::kText},  {"github", Form::kText}, {"json", Form::kJson},
      {"sarif", Form::kJson}, {"yaml", Form::kYaml},   {"junit", Form::kXml},
  };
  const auto found = kForms.find(output);
  EXPECT_NE(found, kForms.end()) << "say how the format " << output << " is checked";
  return found == kForms.end() ? Form::kText : found->second;
}

// What is wrong with it; empty when nothing is. Text for machines may hold what its format allows.
std::string fault_in(std::string_view text, Form form) {
  std::string_view line = text;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find('\n'), line.size());
    std::string_view one = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    const std::size_t start = std::min(one.find_first_not_of(" \t"), one.size());
    // YAML may fold text; that line is indented, and nothing more can be asked of it.
    const std::string_view begin = form == Form::kYaml ? one : one.substr(start);
    if (begin.starts_with("::debug")) return fmt::format("a command: {}", printable(one));
    if (form == Form::kText && one.find("##[") != std::string_view::npos)
      return fmt::format("an old command: {}", printable(one));
  }
  while (!text.empty()) {
    const utf8::Decoded next = utf8::decode(text);
    const char32_t c = next.code_point;
    text.remove_prefix(next.width);
    if (c == '\n' || c == '\t') continue;
    const bool control = c < 0x20;
    const bool steering = (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
                          (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    if (control || (steering && (form == Form::kText || form == Form::kJson)))
      return fmt::format("U+{:04X} before {}", static_cast<std::uint32_t>(c),
                         printable(text.substr(0, 60)));
  }
  return {};
}

// A folder full of it. Paths in the cases below start there.
class HostileFolder {
 public:
  HostileFolder() {
    folder_.write(kHostileName, manifest());
    folder_.write("recording.jsonl", recording("1"));
    folder_.write("other.jsonl", recording("2"));
    folder_.write("broken/" + std::string(kHostileName), "a: [\u202e\x1b[31m\n");
    folder_.write("manifest.yaml", manifest());
    folder_.write("tabs.yaml", "a:\n\t- ::debug::x\x1b\n");
    folder_.write("template.yaml", "{{ .Values.x }}\n\x1b[31m: [\n");
    folder_.write("crd.yaml", crd("integer", "a description $"));
    folder_.write("crd2.yaml", crd("string", "another $"));
    folder_.write("openapi.json", filled(R"({"openapi": "3.0.0", "info": {"title": "$",
      "version": "$"}, "paths": {}, "components": {"schemas": {"io.x.$": {"type": "object",
      "description": "$", "properties": {"$": {"type": "$", "description": "$"}},
      "x-kubernetes-group-version-kind": [{"group": "$", "version": "$", "kind": "Thing"}]}}}})"));
    folder_.write("schema.json", filled(R"({"type": "object", "unknown-keyword-$": 1, "$": 1,
      "properties": {"$": {"enum": ["$"], "pattern": "^$(", "type": "$"}}, "$ref": "$"})"));
    folder_.write("kom/.kompox/config.yml", "version: 1\n");
    folder_.write(
        "kom/kompoxapp.yml",
        filled("apiVersion: ops.kompox.dev/v1alpha1\nkind: Workspace\nmetadata: {name: w, "
               "annotations: {ops.kompox.dev/id: /ws/w, x: \"$\"}}\n---\n"
               "apiVersion: ops.kompox.dev/v1alpha1\nkind: Provider\nmetadata: {name: p, "
               "annotations: {ops.kompox.dev/id: /ws/w/prv/p}}\nspec: {driver: \"$\", "
               "settings: {\"$\": \"$\"}}\n---\n"
               "apiVersion: ops.kompox.dev/v1alpha1\nkind: Cluster\nmetadata: {name: c, "
               "annotations: {ops.kompox.dev/id: /ws/w/prv/p/cls/c}}\nspec: {settings: "
               "{\"$\": \"$\"}}\n---\n"
               "apiVersion: ops.kompox.dev/v1alpha1\nkind: App\nmetadata: {name: a, "
               "annotations: {ops.kompox.dev/id: /ws/w/prv/p/cls/c/app/a}}\nspec: "
               "{compose: \"services: {$: 1}\", settings: {\"$\": \"$\"}}\n"));
    folder_.write("config.yaml", filled("validate:\n  \"$\": 1\n"));
    folder_.write("config2.yaml", filled("validate:\n  unknown: \"$\"\n"));
    folder_.write("baseline.yaml",
                  filled("version: 1\nfindings:\n- {file: \"$\", resource: \"$\", code: \"$\", "
                         "path: \"$\", message: \"$\", count: 1}\n"));
    folder_.write("kubeconfig", filled(R"({"apiVersion": "v1", "kind": "Config",
      "current-context": "$", "contexts": [{"name": "$", "context": {"cluster": "$",
      "user": "$"}}], "clusters": [{"name": "$", "cluster": {"server": "http://$"}}],
      "users": [{"name": "$", "user": {"token": "$"}}]})"));
    folder_.write("pulumi.json", filled(R"({"name": "$", "version": "$", "resources": {
      "p:index:A$": {"isComponent": true, "description": "$", "inputProperties": {
        "$": {"type": "$"}, "b": {"oneOf": [{"type": "$"}, {"$ref": "$"}], "description": "$"}},
        "requiredInputs": ["$"]}}})"));
    const std::pair<std::string_view, std::string_view> kustomizations[] = {
        {"resources", "resources: [\"$\"]\n"},
        {"field", "\"$\": 1\n"},
        {"type", "resources: {\"$\": \"$\"}\n"},
        {"patch", "resources: [good.yaml]\npatches:\n- patch: \"$\"\n"},
        {"target",
         "resources: [good.yaml]\npatches:\n- target: {kind: \"$\", name: \"$\"}\n"
         "  patch: \"[{op: \\\"$\\\", path: \\\"/$\\\"}]\"\n"},
        {"json6902",
         "resources: [good.yaml]\npatches:\n- target: {kind: ConfigMap}\n"
         "  patch: '[{\"op\": \"replace\", \"path\": \"/data/$\", \"value\": \"$\"}]'\n"},
        {"images", "resources: [good.yaml]\nimages: [{name: \"$\", newTag: 1}]\n"},
        {"generator", "configMapGenerator: [{name: \"$\", files: [\"$=$\"], literals: [\"$\"]}]\n"},
        {"behavior", "configMapGenerator: [{name: a, behavior: \"$\"}]\n"},
        {"replacement",
         "resources: [good.yaml]\nreplacements:\n- source: {kind: \"$\", fieldPath: \"$\"}\n"
         "  targets: [{select: {name: \"$\"}, fieldPaths: [\"$\"]}]\n"},
        {"vars", "resources: [good.yaml]\nvars: [{name: \"$\", objref: {kind: \"$\"}}]\n"},
        {"labels", "resources: [good.yaml]\ncommonLabels: {\"$\": \"$\"}\n"},
        {"annotations", "resources: [good.yaml]\ncommonAnnotations: {\"$\": \"$\"}\n"},
        {"crds", "resources: [good.yaml]\ncrds: [\"$\"]\n"},
        {"openapi", "resources: [good.yaml]\nopenapi: {path: \"$\"}\n"},
        {"manifest", "resources: [manifest.yaml]\n"},
        {"crd", "resources: [crd.yaml, manifest.yaml]\n"},
        {"remote", "resources: [\"https://example.invalid/$?ref=$\"]\n"},
        {"sort", "sortOptions: {order: \"$\"}\nresources: [good.yaml]\n"},
        {"transformers", "resources: [good.yaml]\ntransformers: [\"kind: $\"]\n"},
        {"components", "components: [\"$\"]\n"},
        {"helm", "helmCharts: [{name: \"$\", repo: \"$\"}]\n"},
        {"broken", "resources: [\x1b[31m\n"},
    };
    for (const auto& [name, text] : kustomizations) {
      folder_.write(fmt::format("k/{}/good.yaml", name),
                    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
      folder_.write(fmt::format("k/{}/manifest.yaml", name), manifest());
      folder_.write(fmt::format("k/{}/crd.yaml", name), crd("integer", "$"));
      folder_.write(fmt::format("k/{}/kustomization.yaml", name), filled(text));
      names_.emplace_back(name);
    }
  }

  std::string path(std::string_view name) const { return folder_ / name; }
  const std::vector<std::string>& kustomizations() const { return names_; }

 private:
  static std::string manifest() {
    return filled(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"$\", namespace: \"$\", labels: "
        "{\"$\": \"$\"}, \"$\": 1}\ndata: {\"$\": 3, \"$\": 4}\n\"$\": \"$\"\n---\n"
        "apiVersion: \"$\"\nkind: \"$\"\nmetadata: {name: \"$\"}\n---\n"
        "apiVersion: \"example.com/v1\"\nkind: Thing\nmetadata: {name: \"$\"}\nspec: {size: \"$\", "
        "color: \"$\", \"$\": \"$\"}\n---\n"
        "apiVersion: example.com/$\nkind: Thing\nmetadata: {name: a}\n---\n"
        "# strake:ignore $ \u202e\x07\n\"$\"\n---\n[1]\n");
  }
  static std::string recording(std::string_view answer) {
    return filled(fmt::format(
        "{{\"recording\":\"strake/v1\"}}\n"
        R"({{"request":1,"at":0,"connection":1,"agent":"$","method":"$","path":"/$","query":"$"}})"
        "\n"
        R"({{"answer":1,"at":0,"user":"$","status":200,"body":{{"$":["$",{}]}}}})"
        "\n",
        answer));
  }
  static std::string crd(std::string_view type, std::string_view description) {
    return filled(fmt::format(
        R"({{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
 "metadata": {{"name": "things.example.com", "annotations": {{"$": "$"}}}},
 "spec": {{"group": "example.com", "scope": "Namespaced", "names": {{"plural": "things",
  "kind": "Thing", "singular": "thing", "listKind": "ThingList", "shortNames": ["$"],
  "categories": ["$"]}},
  "versions": [{{"name": "v1", "served": true, "storage": true, "deprecationWarning": "$",
   "deprecated": true, "schema": {{"openAPIV3Schema": {{"type": "object", "description": "{1}",
    "properties": {{"spec": {{"type": "object", "description": "{1}", "properties": {{
     "size": {{"type": "{0}", "description": "{1}"}},
     "color": {{"type": "string", "enum": ["$", "red"], "pattern": "^$", "description": "{1}"}},
     "$": {{"type": "string", "description": "{1}", "format": "$", "default": "$"}}}},
     "x-kubernetes-validations": [{{"rule": "self.size == '$'", "message": "$"}},
       {{"rule": "$ +", "message": "$"}}]}}}}}}}},
   "additionalPrinterColumns": [{{"name": "$", "type": "$", "jsonPath": "$"}}]}},
   {{"name": "$", "served": true, "storage": false}}]}}}})",
        type, description));
  }

  TemporaryFolder folder_;
  std::vector<std::string> names_;
};

struct Case {
  std::vector<std::string> words;  // @name is a path in the folder
  Form form = Form::kText;         // of the output without --output
  std::string input = {};
};

std::string hostile() { return std::string(kHostile); }
std::string hostile_name() { return std::string(kHostileName); }

// By command, or by the name of the program.
std::map<std::string, std::vector<Case>> all_cases(const HostileFolder& folder) {
  const std::string name = "@" + hostile_name();
  const std::string broken = "@broken/" + hostile_name();
  std::map<std::string, std::vector<Case>> out = {
      {"validate",
       {{{name}},
        {{"-s", "@crd.yaml", "@manifest.yaml", name, broken, "@template.yaml"}},
        {{"-s", "@crd.yaml", "--strict", "--verbose", "@manifest.yaml"}},
        {{"-s", "@crd.yaml", "--locale=ja", "@manifest.yaml"}},
        {{"-s", "@openapi.json", "@manifest.yaml"}},
        {{"--profile=loose", "-s", "@schema.json", "@manifest.yaml"}},
        {{"--config", "@config.yaml", name}},
        {{"--config", "@config2.yaml", name}},
        {{"--baseline", "@baseline.yaml", "@manifest.yaml"}},
        {{"--from-cluster", "--kubeconfig", "@kubeconfig", name}},
        {{"-s", hostile_name(), "--skip", hostile(), name}},
        {{"--old", name, name}},
        {{hostile_name()}},
        {{"-"}, Form::kText, filled("\"$\": 1\n")}}},
      {"crd lint", {{{"@crd.yaml", name, broken}}, {{"--disable", hostile(), "@crd.yaml"}}}},
      {"crd diff",
       {{{"--verbose", "@crd.yaml", "@crd2.yaml"}},
        {{broken, "@crd.yaml"}},
        {{"--git", hostile(), "@crd.yaml"}}}},
      {"fmt",
       {{{"--check", "--diff", name, "@manifest.yaml"}},
        {{"--check", "@crd.yaml", broken, "@tabs.yaml"}},
        {{hostile_name()}}}},
      {"crd from-pulumi",
       {{{"--in", "@pulumi.json", "--verbose"}, Form::kData},
        {{"--in", name, "--verbose"}, Form::kData},
        {{"--in", "@pulumi.json", "--component", hostile()}, Form::kData},
        {{"--in", "@pulumi.json", "--all", "--group", hostile(), "--kind", hostile()}, Form::kData},
        {{"--in", hostile_name()}, Form::kData}}},
      {"schema explain",
       {{{"thing.spec", "-s", "@crd.yaml"}},
        {{"thing.spec.color", "-s", "@crd.yaml"}},
        {{"thing", "--recursive", "-s", "@crd.yaml"}},
        {{"thing", "-s", "@openapi.json"}},
        {{"thing." + hostile(), "-s", "@crd.yaml", name, broken}},
        {{hostile(), "-s", "@crd.yaml"}},
        {{"thing", "--api-version", hostile(), "-s", "@crd.yaml"}}}},
      {"schema export",
       {{{"thing", "-s", "@crd.yaml"}, Form::kData},
        {{hostile(), "-s", "@crd.yaml", name, broken}, Form::kData}}},
      {"openapi fetch",
       {{{"--kubeconfig", "@kubeconfig"}, Form::kData},
        {{"--kubeconfig", hostile_name(), "--context", hostile()}, Form::kData}}},
      {"openapi info", {{{"@openapi.json"}}, {{name}}, {{hostile_name()}}}},
      {"cel",
       {{{"self.nothing", "--self", "@manifest.yaml"}},
        {{"false && self.kind == 'x'", "--self", "@manifest.yaml"}},
        {{"self.spec.size == 'a' && " + hostile(), "--self", "@manifest.yaml"}},
        {{"'" + hostile() + "' == 'a'", "--explain"}},
        {{"true", "--self", name, "--schema", "@crd.yaml"}},
        {{"--rules", "--self", "@manifest.yaml", "--schema", "@crd.yaml"}},
        {{"true", "--self", "@manifest.yaml", "--path", hostile()}},
        {{"true", "--self", hostile_name()}}}},
      {"serve",
       {{{"--data-dir", name}}, {{"--data-dir", "@none", "--token-file", hostile_name()}}}},
      {"testserver",
       {{{"--apply", hostile_name()}},
        {{"--apply", name}},
        {{"--listen", hostile()}},
        {{"--controllers", hostile()}},
        {{"--clock", hostile()}},
        {{"--clock-start", hostile()}},
        {{"--webhook-address", hostile()}},
        {{"--webhook-address", "127.0.0.1:1", "--webhook-ca", "@absent/" + hostile_name()}},
        {{"--record", "@absent/" + hostile_name()}},
        {{"--replay", name}},
        {{"--", "@absent/" + hostile_name()}}}},
      {"testserver diff",
       {{{"@recording.jsonl", "@recording.jsonl"}},
        {{"@recording.jsonl", "@other.jsonl"}},
        {{"@recording.jsonl", name}},
        {{"--order", hostile(), name, name}}}},
      {"testserver assets", {{{"--dir", "@" + hostile()}}, {{"--dir", name}}}},
      {"webhook",
       {{{"--schemas", name}},
        {{"--schemas", "@crd.yaml", "--service", hostile()}},
        {{"--schemas", "@crd.yaml", "--policies", hostile_name()}},
        {{"--schemas", "@crd.yaml", "--url", "https://" + hostile(), "--print-config", "--cert-dir",
          "@webhook"},
         Form::kData}}},
      {"store",
       {{{"check", name}},
        {{"check", "--data-dir", "@" + hostile() + "/none"}},
        {{hostile()}},
        {{"restore", name, "--data-dir", "@data"}},
        {{"migrate-versions", hostile(), "--kubeconfig", "@kubeconfig"}},
        {{"migrate-versions", "--all", "--kubeconfig", hostile_name(), "--context", hostile()}},
        {{"migrate-versions", hostile(), "--wait", "--timeout", hostile()}}}},
      {"auth who-can",
       {{{"get", hostile(), "--kubeconfig", "@kubeconfig"}, Form::kData},
        {{"get", "pods", "--kubeconfig", hostile_name(), "--context", hostile()}, Form::kData}}},
      {"auth explain",
       {{{hostile(), "get", hostile(), "--kubeconfig", "@kubeconfig"}, Form::kData}}},
      {"user add",
       {{{hostile(), "--role", hostile(), "--kubeconfig", "@kubeconfig"}, Form::kData},
        {{"eve", "--ttl", hostile()}, Form::kData}}},
      {"user list", {{{"--kubeconfig", "@kubeconfig", "--context", hostile()}, Form::kData}}},
      {"user revoke", {{{hostile(), "--kubeconfig", "@kubeconfig"}, Form::kData}}},
      {"completion", {{{hostile()}}}},
      {"help", {{{hostile()}}, {{"validate", hostile()}}}},
      {"version", {{{}}, {{hostile()}}}},
      {"internal man", {{{}, Form::kData}, {{hostile()}}}},
      {"build", {}},
      {"kustomize",
       {{{"edit", "add", "resource", hostile_name()}},
        {{"edit", "remove", "resource", hostile_name()}},
        {{"edit", "set", "image", hostile()}},
        {{"edit", hostile()}},
        {{"cfg", hostile()}},
        {{"build", hostile_name()}},
        {{"build", "--" + hostile()}},
        {{hostile()}}}},
      {"pulumi-component-to-crd",
       {{{"--in", "@pulumi.json", "--verbose"}, Form::kData}, {{"--" + hostile()}}}},
      {"kompoxops",
       {{{hostile()}},
        {{"--" + hostile()}},
        {{"cluster", hostile()}},
        {{"cluster", "status", "-C", "@kom", "--cluster-name", hostile()}},
        {{"admin", "cluster", "list", "-C", "@kom"}, Form::kData},
        {{"admin", "app", "get", hostile(), "-C", "@kom"}}}},
      {"kube-apiserver",
       {{{hostile()}},
        {{"--" + hostile()}},
        {{"--oidc-issuer-url", hostile()}},
        {{"--feature-gates", hostile(), "--token-auth-file", hostile_name(), "--secure-port=0"}}}},
      {"etcd", {{{hostile()}}, {{"--" + hostile()}}, {{"--listen-client-urls", hostile()}}}},
      // No command at all.
      {"", {{{hostile()}}, {{"crd", hostile()}}, {{"--" + hostile()}}, {{"cluster", hostile()}}}},
  };
  // Those of operate, in a configuration whose words are hostile, and in none.
  for (const Command* command : commands()) {
    if (command->group != Group::kOperate) continue;
    std::vector<Case>& cases = out[std::string(command->name)];
    const bool has_root =
        std::ranges::find(command->flags, "kompox-root", &FlagSpec::name) != command->flags.end();
    std::vector<std::string> operands;
    if (command->operands.at_least > 0)
      operands = {command->operands.choices.empty() ? hostile() : "set"};
    const auto add = [&](std::vector<std::string> flags) {
      flags.insert(flags.end(), operands.begin(), operands.end());
      cases.push_back({std::move(flags)});
    };
    add({"--chdir", "@" + hostile_name() + "/none"});
    if (!has_root) continue;
    add({"--kompox-root", hostile()});
    add({"-C", "@kom", "--log-format", hostile()});
    add({"-C", "@kom", "--log-output", "@" + hostile() + "/none"});
    add({"-C", "@kom", "--kom-path", hostile_name(), "--log-output", "none"});
    add({"-C", "@kom", "--kom-app", name, "--log-output", "none"});
    for (const std::string_view flag : {"cluster-name", "app-name", "box-id", "file", "source"}) {
      if (std::ranges::find(command->flags, flag, &FlagSpec::name) != command->flags.end())
        add({"-C", "@kom", "--log-output", "none", fmt::format("--{}", flag), hostile()});
    }
    if (std::ranges::find(command->flags, "vol-name", &FlagSpec::name) != command->flags.end())
      add({"-C", "@kom", "--log-output", "none", "--vol-name", hostile()});
  }
  for (const std::string& one : folder.kustomizations()) {
    const std::string path = "@k/" + one;
    out["build"].push_back({{path}, Form::kData});
    out["build"].push_back({{"--provenance", path}});
    out["build"].push_back({{"--why", ".data", "configmap/a", path}});
    out["build"].push_back({{"--strict", "-s", "@crd.yaml", path}, Form::kData});
    out["kustomize"].push_back({{"build", path}, Form::kData});
  }
  out["build"].push_back({{hostile_name()}, Form::kData});
  out["build"].push_back({{"--why", hostile(), hostile(), "@k/labels"}});
  return out;
}

class HostileText : public ::testing::Test {
 protected:
  void check(const std::vector<std::string>& front, const Case& one, std::string_view program,
             std::string_view output) {
    std::vector<std::string> args = front;
    for (const std::string& word : one.words)
      args.push_back(word.starts_with('@') ? folder_.path(word.substr(1)) : word);
    if (!output.empty()) args.push_back(fmt::format("--output={}", output));
    FakeWorld world(one.input);
    for (const char* name : {"KUBECONFIG", "HOME", "XDG_DATA_HOME", "PWD", "TERM"})
      world.environment[name] = folder_.path(hostile_name());
    static_cast<void>(world.run(args, program));
    Form form = output.empty() ? one.form : form_of(output);
    // Values of CEL are data, as JSON and YAML write them.
    if (front == std::vector<std::string>{"cel"} && form != Form::kText) form = Form::kData;
    const std::string shown = printable(fmt::format("{} {}", program, fmt::join(args, " ")));
    EXPECT_EQ(fault_in(world.err.text(), Form::kText), "") << "error stream of " << shown;
    if (form == Form::kData) return;
    EXPECT_EQ(fault_in(world.out.text(), form), "") << "output of " << shown;
    if (world.out.text().empty()) return;
    if (form == Form::kJson) EXPECT_TRUE(read_all<value::JsonReader>(world.out.text())) << shown;
    if (form == Form::kYaml) EXPECT_TRUE(read_all<value::YamlReader>(world.out.text())) << shown;
  }

  template <typename Reader>
  static bool read_all(std::string_view text) {
    Reader reader(text, {});
    while (true) {
      const auto next = reader.next();
      if (!next || !*next) return next.has_value();
    }
  }

  HostileFolder folder_;
};

TEST_F(HostileText, IsEscapedByEveryCommandInEveryFormat) {
  const auto cases = all_cases(folder_);
  for (const Command* command : commands()) {
    const auto found = cases.find(std::string(command->name));
    ASSERT_NE(found, cases.end()) << "no case for the command " << command->name;
    EXPECT_FALSE(found->second.empty());
    std::vector<std::string> words;
    const std::size_t space = command->name.find(' ');
    words.emplace_back(command->name.substr(0, space));
    if (space != std::string_view::npos) words.emplace_back(command->name.substr(space + 1));
    std::vector<std::string_view> outputs = {""};
    for (const FlagSpec& flag : command->flags) {
      if (flag.name == "output" && flag.kind == FlagKind::kChoice)
        outputs.insert(outputs.end(), flag.choices.begin(), flag.choices.end());
    }
    for (const Case& one : found->second) {
      for (const std::string_view output : outputs) check(words, one, "strake", output);
    }
  }
}

TEST_F(HostileText, IsEscapedUnderEveryName) {
  const auto cases = all_cases(folder_);
  for (const Alias& alias : aliases()) {
    const auto found = cases.find(std::string(alias.name));
    ASSERT_NE(found, cases.end()) << "no case for the name " << alias.name;
    for (const Case& one : found->second) check({}, one, alias.name, "");
  }
  for (const Case& one : cases.at("")) check({}, one, "strake", "");
}

TEST(PrintedData, StaysAsItIs) {
  constexpr std::string_view kValue = "x\n::debug::pwned\n##[debug]pwned \u202e\u2066";
  const TemporaryFolder folder;
  const std::string file =
      folder.write("good.yaml",
                   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: "
                   "{k: \"x\\n::debug::pwned\\n##[debug]pwned \\u202e\\u2066\"}\n");
  folder.write("kustomization.yaml", "resources: [good.yaml]\n");
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"build", folder.path().string()},
        {"fmt", file},
        {"fmt", "--to=json", file},
        {"validate", "--print", "-o", "yaml", file},
        {"cel", "-o", "yaml", "{'data': self.data}", "--self", file}}) {
    FakeWorld world;
    EXPECT_EQ(world.run(args), ExitCode::kFine) << world.err.text();
    const auto printed = value::read_yaml(world.out.text());
    ASSERT_TRUE(printed.has_value()) << args[0];
    const value::Value* text = printed->at(FieldPath() / "data" / "k");
    ASSERT_NE(text, nullptr) << args[0];
    EXPECT_EQ(text->as_string(), kValue) << args[0];
  }
}

}  // namespace
}  // namespace strake::cli
