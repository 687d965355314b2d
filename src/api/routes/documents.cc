#include "api/routes/documents.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>

#include "api/request/media.h"
#include "api/verbs/respond.h"
#include "base/log.h"
#include "base/rfc3339.h"
#include "publish/discovery.h"
#include "publish/openapi.h"
#include "publish/remote_openapi.h"

namespace strake::api {
namespace {

constexpr std::size_t kMostV3Bytes = std::size_t{16} << 20;
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kV2Protobuf =
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
constexpr std::string_view kV3Protobuf =
    "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
// The types that clients may ask for, best first. Clients still ask by the old names, with an @,
// which no media type may contain: Go's mime package refuses an answer that carries one. So
// kube-apiserver 1.36 understands those names and answers with the new ones.
constexpr std::array<std::string_view, 3> kV2Types = {
    kJson, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", kV2Protobuf};
constexpr std::array<std::string_view, 3> kV3Types = {
    kJson, kV3Protobuf, "application/com.github.proto-openapi.spec.v3@v1.0+protobuf"};

bool matches_etag(const http::Request& request, std::string_view etag) {
  const std::string_view sent = request.headers.get("If-None-Match");
  return !sent.empty() && (sent == "*" || sent.contains(etag));
}

// The text, or 304 when the client has it already.
http::Response tagged(const http::Request& request, std::string_view type,
                      const std::shared_ptr<const std::string>& text, std::string_view hash) {
  const std::string etag = fmt::format("\"{}\"", hash);
  http::Response out;
  out.headers.add("ETag", etag);
  out.headers.add("Vary", "Accept");
  out.headers.add("Content-Type", type);
  if (matches_etag(request, etag)) {
    out.status = 304;
    return out;
  }
  out.body.emplace_back(text);
  return out;
}

// kube-apiserver says no more than this about its OpenAPI documents.
http::Response bare(int code) {
  http::Response out;
  out.status = code;
  out.headers.add("Vary", "Accept");
  return out;
}

// No text either, as kube-apiserver 1.36.
http::Response no_openapi_v3() {
  http::Response out;
  out.status = 404;
  return out;
}

http::Response not_encodable(const Error& error) {
  log::get("api").error("an OpenAPI document has no protobuf form", {{"error", error.message()}});
  return bare(503);
}

// "example.com" of "apis/example.com/v1".
std::string_view group_in_path(std::string_view path) {
  return path.starts_with("apis/") ? path.substr(5, path.find('/', 5) - 5) : "";
}

std::uint64_t remote_generation(const Documents::Question& question) {
  return question.remote == nullptr ? 0 : question.remote->generation;
}

std::span<const publish::RemoteVersion> remotes(const Documents::Question& question) {
  if (question.remote == nullptr) return {};
  return question.remote->versions;
}

std::vector<std::shared_ptr<const crd::Crd>> definitions_with_versions(
    const Registry::Snapshot& snapshot, std::string_view group) {
  std::vector<std::shared_ptr<const crd::Crd>> out;
  const auto found = snapshot.groups.find(group);
  if (found == snapshot.groups.end()) return out;
  for (const auto& [plural, endpoint] : found->second) {
    const kinds::Resource& resource = *endpoint->resource_ptr();
    if (resource.definition != nullptr && resource.versions.size() > 1)
      out.push_back(resource.definition->load());
  }
  return out;
}

std::string openapi_v2_of_all(const Registry::Snapshot& snapshot, const RemoteSnapshot* remote) {
  if (remote == nullptr) return publish::openapi_v2(snapshot.resources());
  std::string local =
      publish::openapi_v2(publish::without_remote(snapshot.resources(), remote->versions));
  Result<std::string> merged = publish::merge_openapi_v2(local, remote->openapi_v2);
  if (merged) return *std::move(merged);
  log::get("api").error("OpenAPI documents cannot be merged",
                        {{"error", merged.error().message()}});
  return local;
}

template <typename KeptPtr>
std::shared_ptr<const std::string> text_of(const KeptPtr& kept) {
  return {kept, &kept->text};
}

}  // namespace

template <typename Make>
std::expected<Documents::KeptPtr, Documents::NotKept> Documents::kept(const Question& question,
                                                                      const std::string& name,
                                                                      std::uint64_t remote,
                                                                      Make make) {
  const Registry::Snapshot& snapshot = *question.snapshot;
  {
    const std::lock_guard lock(mu_);
    if (generation_ < snapshot.generation) {
      kept_.clear();
      generation_ = snapshot.generation;
    }
    if (generation_ == snapshot.generation) {
      const auto found = kept_.find(name);
      if (found != kept_.end() && found->second->remote == remote) return found->second;
    }
  }
  if (question.only_kept) return std::unexpected(NotKept());
  auto made = std::make_shared<Kept>();
  made->text = make(snapshot);
  made->hash = publish::document_hash(made->text);
  made->remote = remote;
  const std::lock_guard lock(mu_);
  if (generation_ == snapshot.generation) {
    KeptPtr& kept = kept_[name];
    if (kept == nullptr || kept->remote <= remote) kept = made;
  }
  return made;
}

Documents::Served Documents::serve(const Question& question) {
  std::string_view path = question.path;
  if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  if (path == "/openapi/v2") return openapi_v2(question);
  if (path == "/openapi/v3") return openapi_v3_index(question);
  constexpr std::string_view kV3 = "/openapi/v3/";
  if (path.starts_with(kV3)) return openapi_v3(question, std::string(path.substr(kV3.size())));
  if (path == "/api" || path == "/apis" || path.starts_with("/api/") ||
      path.starts_with("/apis/")) {
    return discovery(question, path);
  }
  return std::nullopt;
}

Documents::Served Documents::discovery(const Question& question, std::string_view path) {
  const http::Request& request = question.request;
  const bool core = path == "/api";
  if (core || path == "/apis") {
    const std::string_view accept = request.headers.get("Accept");
    if (accepts_as(accept, "APIGroupDiscoveryList", "apidiscovery.k8s.io", "v2")) {
      STRAKE_TRY(const KeptPtr document,
                 kept(question, fmt::format("aggregated {}", path), remote_generation(question),
                      [&](const Registry::Snapshot& snapshot) {
                        return publish::aggregated_discovery(snapshot.resources(), core,
                                                             remotes(question));
                      }));
      http::Response out =
          tagged(request, "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
                 text_of(document), document->hash);
      out.headers.set("Cache-Control", "public");
      return out;
    }
    if (core) {
      return json_response(
          200, publish::api_versions(advertised_address_.empty() ? request.local_address
                                                                 : advertised_address_));
    }
    STRAKE_TRY(const KeptPtr document, kept(question, "groups", remote_generation(question),
                                            [&](const Registry::Snapshot& snapshot) {
                                              return publish::api_group_list(snapshot.resources(),
                                                                             remotes(question));
                                            }));
    return json_response(200, document->text);
  }
  const bool legacy = path.starts_with("/api/");
  std::string_view rest = path.substr(legacy ? 5 : 6);
  std::string_view group;
  if (!legacy) {
    const std::size_t slash = rest.find('/');
    group = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  }
  if (rest.contains('/')) return std::nullopt;
  STRAKE_TRY(const KeptPtr document,
             kept(question, std::string(path), remote_generation(question),
                  [&](const Registry::Snapshot& snapshot) {
                    if (rest.empty())
                      return publish::api_group(snapshot.resources(), group, remotes(question));
                    return publish::api_resource_list(
                        publish::without_remote(snapshot.resources(), remotes(question)), group,
                        rest);
                  }));
  if (document->text.empty()) return std::nullopt;
  return json_response(200, document->text);
}

Documents::Served Documents::openapi_v2(const Question& question) {
  const http::Request& request = question.request;
  const auto type = first_accepted(request.headers.get("Accept"), kV2Types);
  if (!type) return bare(406);
  // The largest document: it is not made again for what it does not show.
  const std::uint64_t remote =
      question.remote == nullptr ? 0 : question.remote->openapi_v2_generation;
  STRAKE_TRY(const KeptPtr json,
             kept(question, "openapi v2", remote, [&](const Registry::Snapshot& snapshot) {
               return openapi_v2_of_all(snapshot, question.remote.get());
             }));
  if (*type == kJson) return tagged(request, kJson, text_of(json), json->hash);
  std::optional<Error> failure;
  STRAKE_TRY(const KeptPtr binary,
             kept(question, "openapi v2 protobuf", remote, [&](const Registry::Snapshot&) {
               Result<std::string> made = publish::openapi_v2_protobuf(json->text);
               if (made) return *std::move(made);
               failure = made.error();
               return std::string();
             }));
  if (failure || binary->text.empty()) {
    return not_encodable(failure.value_or(Error(Code::kInternal, "it failed before")));
  }
  return tagged(request, kV2Protobuf, text_of(binary), json->hash);
}

std::expected<Documents::V3Document, Documents::NotKept> Documents::v3_document(
    const Question& question, const std::string& path, bool with_text) {
  // What the document is made from: the endpoints of the group, told by their epochs.
  std::string made_from;
  std::vector<kinds::ResourcePtr> resources;
  const std::string_view group = group_in_path(path);
  const bool of_group = path == "api/v1" || path.starts_with("apis/");
  for (const auto& [name, endpoints] : question.snapshot->groups) {
    if (of_group && name != group) continue;
    for (const auto& [plural, endpoint] : endpoints) {
      resources.push_back(endpoint->resource_ptr());
      if (of_group) made_from += fmt::format("{} ", endpoint->epoch());
    }
  }
  for (const publish::RemoteVersion& one : remotes(question)) {
    if (one.group == group) made_from += fmt::format("without {} ", one.version);
  }
  resources = publish::without_remote(std::move(resources), remotes(question));
  {
    const std::lock_guard lock(mu_);
    const auto found = v3_.find(path);
    if (found != v3_.end() && found->second.made_from == made_from &&
        (found->second.text || !with_text)) {
      return V3Document{.hash = found->second.hash, .text = found->second.text};
    }
  }
  if (question.only_kept) return std::unexpected(NotKept());
  auto text = std::make_shared<const std::string>(publish::openapi_v3(resources, path));
  V3 made{
      .made_from = std::move(made_from), .hash = publish::document_hash(*text), .text = nullptr};
  const V3Document out{.hash = made.hash, .text = text};
  const std::lock_guard lock(mu_);
  // The texts of thousands of definitions are large, and each is asked for once by each client:
  // only some are held.
  if (with_text) {
    if (v3_bytes_ + text->size() > kMostV3Bytes) {
      for (auto& [name, one] : v3_) one.text.reset();
      v3_bytes_ = 0;
    }
    v3_bytes_ += text->size();
    made.text = std::move(text);
  }
  v3_[path] = std::move(made);
  return out;
}

Documents::Served Documents::openapi_v3_index(const Question& question) {
  STRAKE_TRY(
      const KeptPtr index,
      kept(question, "openapi v3", remote_generation(question), [&](const Registry::Snapshot& now) {
        std::map<std::string, std::string, std::less<>> hashes;
        // Definitions of many versions are read once for all of their documents, which come
        // together.
        std::string held_group;
        std::vector<std::shared_ptr<const crd::Crd>> held;
        const auto resources = publish::without_remote(now.resources(), remotes(question));
        for (const std::string& one : publish::openapi_v3_paths(resources)) {
          if (std::string group(group_in_path(one)); group != held_group) {
            held_group = std::move(group);
            held = definitions_with_versions(now, held_group);
          }
          // Only a question for what is kept goes without.
          if (const auto document = v3_document(question, one, false)) hashes[one] = document->hash;
        }
        if (question.remote != nullptr) {
          for (const auto& [path, hash] : question.remote->openapi_v3) hashes[path] = hash;
        }
        return publish::openapi_v3_index(hashes);
      }));
  return tagged(question.request, kJson, text_of(index), index->hash);
}

Documents::Served Documents::openapi_v3(const Question& question, const std::string& name) {
  STRAKE_TRY(const V3Document document, v3_document(question, name, true));
  if (document.text->empty()) return no_openapi_v3();
  return serve_openapi_v3(question, name, {.hash = document.hash, .text = document.text});
}

Documents::Served Documents::serve_openapi_v3(const Question& question, std::string_view name,
                                              const RemoteDocument& document) {
  const http::Request& request = question.request;
  const auto type = first_accepted(request.headers.get("Accept"), kV3Types);
  if (!type) return bare(406);
  const auto asked = question.query.get("hash");
  if (asked && *asked != document.hash) {
    http::Response out;
    out.status = 301;
    out.headers.add("Location", fmt::format("/openapi/v3/{}?hash={}", name, document.hash));
    return out;
  }
  std::optional<http::Response> out;
  if (*type == kJson) {
    out = tagged(request, kJson, document.text, document.hash);
  } else if (question.only_kept) {
    return std::unexpected(NotKept());
  } else {
    Result<std::string> binary = publish::openapi_v3_protobuf(*document.text);
    if (!binary) return not_encodable(binary.error());
    out = tagged(request, kV3Protobuf, std::make_shared<const std::string>(*std::move(binary)),
                 document.hash);
  }
  if (asked) {
    out->headers.set("Cache-Control", "public, immutable");
    const auto expires = std::chrono::system_clock::now() + std::chrono::years(1);
    out->headers.set("Expires",
                     fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT",
                                 fmt::gmtime(std::chrono::system_clock::to_time_t(expires))));
  }
  return out;
}

}  // namespace strake::api
