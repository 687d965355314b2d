#include "cli/command/plain_words.h"

#include <array>
#include <optional>
#include <vector>

namespace strake::cli {
namespace {

// $1 to $4 stand for any text of one line up to what follows; at the end of a pattern for a word.
struct WordRule {
  std::string_view from;
  std::string_view to;
};

// In this order: what is longer, or would hide another, comes first.
constexpr WordRule kWordRules[] = {
    // Files and folders.
    {"must build at directory: not a valid directory: evalsymlink failure on '$1' : lstat $2: no "
     "such file or directory",
     "no such folder: $1"},
    {"evalsymlink failure on '$1' : lstat $2: no such file or directory",
     "no such file or folder: $1"},
    {"evalsymlink failure on '$1' : lstat $2: ", "$2: "},
    {"evalsymlink failure on '$1' : ", "$1: "},
    {"EvalSymlinks: ", ""},
    {"lstat $1: no such file or directory", "no such file or folder: $1"},
    {"lstat $1: ", "$1: "},
    {"readlink $1: ", "$1: "},
    {"open $1: no such file or directory", "no such file: $1"},
    {"open $1: permission denied", "$1: permission denied"},
    {"read $1: is a directory", "$1 is a folder, not a file"},
    {"must build at directory: '$1': file is not directory", "$1 is a file, not a folder"},
    {"must build at directory: not a valid directory: ", ""},
    {"'$1' must resolve to a file", "$1 is a folder, not a file"},
    {"unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in "
     "directory '$1'",
     "no kustomization.yaml, kustomization.yml or Kustomization in $1"},
    {"security; file '$1' is not in or below '$2'",
     "$1 is outside of $2, and a kustomization may only read files in or below its folder; "
     "--load-restrictor LoadRestrictionsNone allows others"},
    // Steps on the way: the place before the message and the lines behind it tell them.
    {"accumulating resources from '$1': ", ""},
    {"accumulating resources: ", ""},
    {"accumulating components: ", ""},
    {"recursed accumulation of path '$1': ", ""},
    {"couldn't make target for path '$1': ", ""},
    {"merging resources from '$1': ", ""},
    {"accumulateDirectory: ", ""},
    {"loading KV pairs: ", ""},
    {" in File: $1", ""},
    // Documents.
    {"yaml: unmarshal errors:\n  line $1: mapping key \"$2\" already defined at line $3",
     "duplicate key \"$2\", at lines $3 and $1"},
    {"json: unsupported type: map[interface {}]interface {}", "a key that is a map or a list"},
    {"json: unsupported value: ", "no value of JSON: "},
    {"error unmarshaling JSON: while decoding JSON: ", ""},
    {"json: unknown field ", "unknown field "},
    {"map[string]interface {}", "map"},
    {"json: cannot unmarshal $1 into Go struct field $2.$3 of type $4",
     "$3 must be <$4>, got <<$1>>"},
    {"json: cannot unmarshal $1 into Go value of type $2", "it must be <$2>, got <<$1>>"},
    {"<<array>>", "a list"},
    {"<<object>>", "a map"},
    {"<<bool>>", "a boolean"},
    {"<<$1>>", "a $1"},
    {"<string>", "a string"},
    {"<bool>", "a boolean"},
    {"<int>", "a whole number"},
    {"<int64>", "a whole number"},
    {"<[]string>", "a list of strings"},
    {"<map[string]string>", "a map of strings"},
    {"<[]$1>", "a list"},
    {"<jsonpatch.Patch>", "a list"},
    {"<types.$1>", "a map"},
    {"<map>", "a map"},
    {"<map[$1>", "a map"},
    {"<jsonpatch.$1>", "a map"},
    {"<accumulator.$1>", "a map"},
    {"<spec.$1>", "a map"},
    {"invalid Kustomization: ", "invalid kustomization: "},
    {"missing metadata.name in object {{$1} {{$2} map[$3] map[$4]}}",
     "a resource without metadata.name: $1"},
    {"wrong node kind: expected $1 but got $2: node contents:", "expected $1, got $2:"},
    {"wrong node kind: expected $1 but got $2", "expected $1, got $2"},
    {"ScalarNode", "a scalar"},
    {"MappingNode", "a map"},
    {"SequenceNode", "a list"},
    // Builds.
    {"unable to parse SM or JSON patch from [$1]: ",
     "neither a strategic merge patch nor a JSON patch ($1): "},
    {"cycle detected: candidate root '$1' contains visited root '$2'",
     "a cycle: building $2 leads back to $1"},
    {"may not add resource with an already registered id: ", "two resources have the same id: "},
    {"expected kind != 'Component' for path '$1'",
     "$1 is a component: list it under components, not resources"},
    {"external plugins disabled; unable to load external plugin '$1'",
     "'$1' is a plugin, and plugins are not run"},
    {"must specify --enable-helm", "helmCharts need --enable-helm"},
    {".[noVer]", ""},
    {".[noGrp]", ""},
    {".[noNs]", ""},
};
constexpr WordRule kPlacedRules[] = {
    {"MalformedYAMLError: yaml: line $1: ", "malformed YAML: "},
    {"malformed YAML: line $1: ", "malformed YAML: "},
};
constexpr WordRule kLastRules[] = {
    {"MalformedYAMLError: yaml: ", "malformed YAML: "},
    {"MalformedYAMLError: ", "malformed YAML: "},
};

struct WordMatch {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::array<std::string_view, 5> captured;  // by number
};

bool is_capture(std::string_view pattern, std::size_t at) {
  return pattern[at] == '$' && at + 1 < pattern.size() && pattern[at + 1] >= '1' &&
         pattern[at + 1] <= '4';
}

std::size_t literal_end(std::string_view pattern, std::size_t at) {
  while (at < pattern.size() && !is_capture(pattern, at)) ++at;
  return at;
}

std::optional<WordMatch> find_words(std::string_view text, std::size_t from,
                                    std::string_view pattern) {
  std::size_t at = literal_end(pattern, 0);
  WordMatch out;
  out.begin = text.find(pattern.substr(0, at), from);
  if (out.begin == std::string_view::npos) return std::nullopt;
  out.end = out.begin + at;
  while (at < pattern.size()) {
    const auto number = static_cast<std::size_t>(pattern[at + 1] - '0');
    const std::size_t next = at + 2;
    at = literal_end(pattern, next);
    const std::string_view literal = pattern.substr(next, at - next);
    const std::size_t stop = literal.empty()
                                 ? std::min(text.find_first_of(" \n", out.end), text.size())
                                 : text.find(literal, out.end);
    if (stop == std::string_view::npos) return std::nullopt;
    out.captured[number] = text.substr(out.end, stop - out.end);
    if (out.captured[number].find('\n') != std::string_view::npos) return std::nullopt;
    out.end = stop + literal.size();
  }
  return out;
}

std::string with_captures(std::string_view to, const WordMatch& match) {
  std::string out;
  for (std::size_t at = 0; at < to.size(); ++at) {
    if (!is_capture(to, at)) {
      out += to[at];
      continue;
    }
    std::string_view words = match.captured[static_cast<std::size_t>(to[++at] - '0')];
    while (words.starts_with(' ')) words.remove_prefix(1);
    out += words;
  }
  return out;
}

void apply_rule(const WordRule& rule, std::string& text) {
  std::size_t from = 0;
  while (const auto match = find_words(text, from, rule.from)) {
    const std::string words = with_captures(rule.to, *match);
    from = match->begin + words.size();
    text.replace(match->begin, match->end - match->begin, words);
  }
}

}  // namespace

std::string plain_words(std::string_view message, bool placed) {
  std::string out(message);
  for (const WordRule& rule : kWordRules) apply_rule(rule, out);
  if (placed) {
    for (const WordRule& rule : kPlacedRules) apply_rule(rule, out);
  }
  for (const WordRule& rule : kLastRules) apply_rule(rule, out);
  return out;
}

bool looks_like_helm_template(std::string_view text) {
  for (std::size_t at = text.find("{{"); at != std::string_view::npos;
       at = text.find("{{", at + 2)) {
    const std::size_t end = text.find("}}", at);
    if (end == std::string_view::npos) return false;
    std::string_view action = text.substr(at + 2, end - at - 2);
    if (action.starts_with('-')) action.remove_prefix(1);
    action.remove_prefix(std::min(action.find_first_not_of(" \t\n"), action.size()));
    for (const std::string_view start :
         {".", "$", "/*", "if ", "else", "end", "range ", "with ", "include ", "template ",
          "define ", "block ", "toYaml ", "tpl ", "default ", "printf ", "lookup ", "required "}) {
      if (action.starts_with(start)) return true;
    }
  }
  return false;
}

}  // namespace strake::cli
