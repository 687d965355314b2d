#include "kustomize/generators.h"

#include <algorithm>
#include <map>

#include "base/base64.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "kustomize/file/paths.h"

namespace strake::kustomize {
namespace {

struct Pair {
  std::string key;
  std::string value;
};

bool is_space(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view without_leading_space(std::string_view line) {
  for (;;) {
    if (!line.empty() && is_space(static_cast<unsigned char>(line[0]))) {
      line.remove_prefix(1);
      continue;
    }
    // Spaces beyond ASCII, as Unicode has them.
    const utf8::Decoded first = utf8::decode(line);
    const char32_t c = first.code_point;
    const bool wide = c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) ||
                      c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
    if (!wide) return line;
    line.remove_prefix(first.width);
  }
}

Result<> add_env_lines(std::string_view text, std::vector<Pair>& out) {
  for (std::size_t number = 0; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!utf8::is_valid(line))
      return fail(Code::kInvalid, "line {} has invalid utf8 bytes", number + 1);
    if (number == 0 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    line = without_leading_space(line);
    if (line.empty() || line[0] == '#') continue;
    const std::size_t equals = std::min(line.find('='), line.size());
    if (equals == 0) continue;  // no key: as if the line was empty
    out.push_back({std::string(line.substr(0, equals)),
                   std::string(line.substr(std::min(equals + 1, line.size())))});
  }
  return {};
}

std::string_view unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != text.back()) return text;
  if (text[0] != '"' && text[0] != '\'') return text;
  return text.substr(1, text.size() - 2);
}

Result<Pair> read_literal(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    // Shown whole, as kustomize v5.5.0 does. There is no key, so what is shown may be the value.
    return fail(Code::kInvalid, "invalid literal source {}, expected key=value", text);
  }
  return Pair{std::string(text.substr(0, equals)), std::string(unquoted(text.substr(equals + 1)))};
}

Result<Pair> split_file_source(const std::string& source) {
  const auto signs = std::ranges::count(source, '=');
  if (signs == 0) return Pair{std::string(base_name(clean_path(source))), source};
  if (signs > 1) {
    return fail(Code::kInvalid, "source {} key name or file path contains '='", quote(source));
  }
  const std::size_t equals = source.find('=');
  const std::string key = source.substr(0, equals);
  const std::string path = source.substr(equals + 1);
  if (key.empty()) {
    return fail(Code::kInvalid, "missing key name for file path {} in source {}", quote(path),
                quote(source));
  }
  if (path.empty()) {
    return fail(Code::kInvalid, "missing file path for key name {} in source {}", quote(key),
                quote(source));
  }
  return Pair{key, path};
}

template <typename T>
std::unexpected<Error> in_sources(Result<T> failed, std::string_view what,
                                  const std::vector<std::string>& sources) {
  return std::unexpected(std::move(failed).error().prefixed(
      fmt::format("loading KV pairs: {} [{}]", what, fmt::join(sources, " "))));
}

// In the order environment files, literals, files.
Result<std::map<std::string, std::string>> load_pairs(const GeneratorArgs& args,
                                                      const Loader& loader) {
  std::vector<Pair> pairs;
  for (const std::string& path : args.envs) {
    Result<std::string> text = loader.load(path);
    if (!text) return in_sources(std::move(text), "env source files:", args.envs);
    if (Result<> added = add_env_lines(*text, pairs); !added)
      return in_sources(std::move(added), "env source files:", args.envs);
  }
  for (const std::string& literal : args.literals) {
    Result<Pair> pair = read_literal(literal);
    if (!pair) return in_sources(std::move(pair), "literal sources", {literal});
    pairs.push_back(*std::move(pair));
  }
  for (const std::string& source : args.files) {
    Result<Pair> file = split_file_source(source);
    if (!file) return in_sources(std::move(file), "file sources:", args.files);
    Result<std::string> text = loader.load(file->value);
    if (!text) return in_sources(std::move(text), "file sources:", args.files);
    pairs.push_back({std::move(file->key), *std::move(text)});
  }
  std::map<std::string, std::string> out;
  for (Pair& pair : pairs) {
    if (out.contains(pair.key)) {
      return fail(Code::kConflict, "configmap {} illegally repeats the key `{}`", args.name,
                  pair.key);
    }
    out.emplace(std::move(pair.key), std::move(pair.value));
  }
  return out;
}

// Cut into lines, each ended, when it is long.
std::string encode_base64(std::string_view bytes) {
  constexpr std::size_t kLine = 70;
  const std::string text = base64_encode(bytes);
  if (text.size() < kLine) return text;
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += kLine)
    out.append(text, at, kLine).append(1, '\n');
  return out;
}

Result<Resource*> make_base(std::string_view kind, const GeneratorArgs& args,
                            BuildContext& context) {
  if (args.name.empty()) return fail(Code::kInvalid, "a configmap must have a name");
  NodeArena& arena = context.arena;
  Node* root = arena.map();
  arena.append(*root, "apiVersion", arena.string("v1"));
  arena.append(*root, "kind", arena.string(kind));
  Node* meta = arena.map();
  arena.append(*meta, "name", arena.string(args.name));
  if (!args.namespace_name.empty())
    arena.append(*meta, "namespace", arena.string(args.namespace_name));
  arena.append(*root, "metadata", meta);
  Resource* out = context.make(root);
  out->generated = true;
  out->needs_hash = !args.options || !args.options->disable_hash;
  if (args.behavior == "create") out->behavior = Behavior::kCreate;
  if (args.behavior == "merge") out->behavior = Behavior::kMerge;
  if (args.behavior == "replace") out->behavior = Behavior::kReplace;
  return out;
}

void add_options(Resource& resource, const std::optional<GeneratorOptions>& options,
                 NodeArena& arena) {
  if (!options) return;
  if (!options->labels.empty()) set_metadata_map(*resource.root, "labels", options->labels, arena);
  if (!options->annotations.empty())
    set_metadata_map(*resource.root, "annotations", options->annotations, arena);
  if (options->immutable)
    arena.append(*resource.root, "immutable", arena.scalar("true", Tag::kBool));
}

Node* text_node(std::string_view text, NodeArena& arena) {
  Node* node = arena.string(text);
  node->quoted = text.find('\n') != std::string_view::npos;
  return node;
}

}  // namespace

Result<Resource*> generate_config_map(const GeneratorArgs& args, const Loader& loader,
                                      BuildContext& context) {
  STRAKE_TRY(Resource * out, make_base("ConfigMap", args, context));
  STRAKE_TRY(const auto pairs, load_pairs(args, loader));
  NodeArena& arena = context.arena;
  for (const auto& [key, value] : pairs) {
    // What is no UTF-8 cannot stand in `data`.
    const bool text = utf8::is_valid(value);
    Node* map = arena.map_at(*out->root, text ? "data" : "binaryData");
    append_field(*map, arena.keep(key),
                 text_node(text ? std::string_view(value) : encode_base64(value), arena), arena);
  }
  add_options(*out, args.options, arena);
  return out;
}

Result<Resource*> generate_secret(const GeneratorArgs& args, const Loader& loader,
                                  BuildContext& context) {
  STRAKE_TRY(Resource * out, make_base("Secret", args, context));
  NodeArena& arena = context.arena;
  arena.append(*out->root, "type", arena.string(args.type.empty() ? "Opaque" : args.type));
  STRAKE_TRY(const auto pairs, load_pairs(args, loader));
  Node* data = arena.map();
  arena.append(*out->root, "data", data);
  for (const auto& [key, value] : pairs)
    append_field(*data, arena.keep(key), text_node(encode_base64(value), arena), arena);
  add_options(*out, args.options, arena);
  return out;
}

Result<Resource*> generate_iam_policy(const IamPolicyArgs& args, BuildContext& context) {
  if (args.cloud != "gke")
    return fail(Code::kUnsupported, "cloud provider {} not supported yet", args.cloud);
  NodeArena& arena = context.arena;
  Node* root = arena.map();
  arena.append(*root, "apiVersion", arena.string("v1"));
  arena.append(*root, "kind", arena.string("ServiceAccount"));
  Node* annotations = arena.map();
  arena.append(
      *annotations, "iam.gke.io/gcp-service-account",
      arena.string(fmt::format("{}@{}.iam.gserviceaccount.com", args.account_name, args.project)));
  Node* meta = arena.map();
  arena.append(*meta, "annotations", annotations);
  arena.append(*meta, "name", arena.string(args.service_name));
  if (!args.service_space.empty())
    arena.append(*meta, "namespace", arena.string(args.service_space));
  arena.append(*root, "metadata", meta);
  return context.make(root);
}

}  // namespace strake::kustomize
