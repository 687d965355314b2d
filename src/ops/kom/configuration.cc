#include "ops/kom/configuration.h"

#include <algorithm>
#include <utility>

#include "base/quote.h"
#include "kustomize/file/paths.h"
#include "ops/kom/ref_base.h"

namespace strake::ops {
namespace {

using provider::App;
using provider::Failure;
using provider::FailureClass;
using provider::Outcome;

std::string absolute_path(const RunRequest& request, std::string_view path) {
  return kustomize::is_absolute(path) ? kustomize::clean_path(path)
                                      : kustomize::join_path(request.working_folder, path);
}

class Loading {
 public:
  Loading(const KomFiles& files, const RunRequest& request, const RunEnvironment& environment,
          const KomLimits& limits)
      : files_(files), request_(request), environment_(environment), limits_(limits) {}

  // Empty documents when there are none.
  Outcome<Configuration> documents() && {
    STRAKE_CHECK(read_app_file());
    const KomPaths from = choose_kom_paths(request_, environment_, defaults_.kom_path,
                                           std::string(kustomize::folder_of(app_file_)));
    STRAKE_TRY(const std::vector<std::string> found,
               find_kom_files(files_, environment_, from, limits_));
    for (const std::string& path : found) STRAKE_CHECK(read_file(path));
    // Where somebody declares, does not matter to who is declared first: parents go before.
    for (KomDocument& one : of_app_file_) documents_.push_back(std::move(one));
    check_across(documents_, problems_);
    if (!problems_.empty()) return std::unexpected(problems_.to_failure());
    return take();
  }

 private:
  Outcome<> read_app_file() {
    const std::string_view variable = request_.variable("KOMPOX_KOM_APP");
    app_file_ = absolute_path(request_, !request_.kom_app.empty() ? request_.kom_app
                                        : !variable.empty()       ? variable
                                                                  : kAppFile);
    const auto place = files_.resolve(app_file_);
    if (!place && place.error().code() == Code::kNotFound) return {};
    if (!place) return std::unexpected(Failure(place.error()));
    real_app_file_ = place->path;
    STRAKE_TRY(std::string text, read_limited(app_file_));
    read_kom_text(app_file_, std::move(text), true, of_app_file_, problems_);
    const auto is_defaults = [](const KomDocument& one) { return one.kind == "Defaults"; };
    if (std::ranges::count_if(of_app_file_, is_defaults) > 1)
      return provider::refuse(FailureClass::kValidation,
                              "multiple Defaults documents found in {}; only one is allowed",
                              quote(app_file_));
    const auto found = std::ranges::find_if(of_app_file_, is_defaults);
    if (found == of_app_file_.end()) return {};
    defaults_ = std::get<KomDefaults>(found->model);
    defaults_at_ = found->at;
    of_app_file_.erase(found);
    return {};
  }

  Outcome<> read_file(const std::string& path) {
    // Its documents are taken as those of the app file, once.
    if (path == real_app_file_) return {};
    STRAKE_TRY(std::string text, read_limited(path));
    total_ += text.size();
    if (total_ > limits_.total_bytes)
      return provider::refuse(FailureClass::kValidation, "total size limit ({} bytes) exceeded",
                              limits_.total_bytes);
    read_kom_text(path, std::move(text), false, documents_, problems_);
    return {};
  }

  Outcome<std::string> read_limited(const std::string& path) const {
    auto text = files_.read(path, limits_.file_bytes);
    if (text) return *std::move(text);
    if (text.error().code() == Code::kLimit)
      return provider::refuse(FailureClass::kValidation, "file {} exceeds maximum size ({} bytes)",
                              quote(path), limits_.file_bytes);
    return std::unexpected(Failure(std::move(text).error())
                               .prefixed(fmt::format("failed to load KOM from {}", quote(path))));
  }

  Outcome<Configuration> take() {
    Configuration out;
    for (const KomDocument& one : documents_) {
      std::visit(
          [&]<typename Model>(const Model& model) {
            if constexpr (std::is_same_v<Model, App>) {
              App app = model;
              if (one.path == app_file_) app.ref_base = ref_base_of_file(app_file_);
              out.store.add(std::move(app));
            } else if constexpr (!std::is_same_v<Model, std::monostate> &&
                                 !std::is_same_v<Model, KomDefaults>) {
              out.store.add(model);
            }
          },
          one.model);
    }
    STRAKE_TRY(out.default_app_id, default_app(out.store));
    if (const App* app = out.store.app_by_id(out.default_app_id))
      out.default_cluster_id = app->cluster_id;
    out.documents = std::move(documents_);
    return out;
  }

  Outcome<std::string> default_app(const Store& store) const {
    if (!request_.app_id.empty()) {
      STRAKE_TRY(const App* app, store.find_app(request_.app_id));
      return app->id;
    }
    if (!defaults_.app_id.empty()) {
      if (store.app_by_id(defaults_.app_id) != nullptr) return defaults_.app_id;
      return std::unexpected(Failure(
          Error(Code::kInvalid, fmt::format("invalid Defaults.spec.appId {}: there is no such App",
                                            quote(defaults_.app_id)))
              .in(app_file_)
              .at(defaults_at_)));
    }
    const KomDocument* only = nullptr;
    for (const KomDocument& one : documents_) {
      if (one.kind != "App" || one.path != app_file_) continue;
      if (only != nullptr) return std::string();
      only = &one;
    }
    return only != nullptr ? only->id->text() : std::string();
  }

  const KomFiles& files_;
  const RunRequest& request_;
  const RunEnvironment& environment_;
  const KomLimits& limits_;
  KomProblems problems_;
  std::string app_file_;       // absolute
  std::string real_app_file_;  // empty when there is none
  KomDefaults defaults_;
  Position defaults_at_;
  std::vector<KomDocument> of_app_file_;
  std::vector<KomDocument> documents_;
  std::size_t total_ = 0;
};

// The file that a store URL names; fails for stores of other kinds.
Outcome<std::string> legacy_path(std::string_view url) {
  constexpr std::string_view kScheme = "file:";
  if (url.starts_with(kScheme)) return std::string(url.substr(kScheme.size()));
  if (url.starts_with("sqlite:") || url.starts_with("sqlite3:"))
    return provider::refuse(FailureClass::kNotImplemented,
                            "stores of sqlite are not implemented: {}", quote(url));
  return provider::refuse(FailureClass::kValidation, "unsupported db scheme: {}", url);
}

Outcome<Configuration> load_legacy(const KomFiles& files, const RunRequest& request,
                                   const KomLimits& limits) {
  const std::string_view variable = request.variable("KOMPOX_DB_URL");
  const std::string url = !request.db_url.empty() ? request.db_url
                          : !variable.empty()     ? std::string(variable)
                                                  : fmt::format("file:{}", kLegacyFile);
  STRAKE_TRY(const std::string given, legacy_path(url));
  const std::string path = absolute_path(request, given);
  auto text = files.read(path, limits.file_bytes);
  if (!text && files.resolve(path).has_value())
    return std::unexpected(Failure(std::move(text).error()));
  if (!text)
    return provider::refuse(FailureClass::kNotFound,
                            "there are no documents, and no file {} either", quote(path));
  STRAKE_TRY(LegacyFile file, read_legacy_text(path, *text, random_id));
  Configuration out;
  out.store.add(file.workspace);
  out.store.add(file.provider);
  out.store.add(file.cluster);
  out.store.add(file.app);
  out.default_app_id = file.app.id;
  out.default_cluster_id = file.cluster.id;
  out.legacy = std::move(file);
  return out;
}

}  // namespace

Outcome<Configuration> load_configuration(const KomFiles& files, const RunRequest& request,
                                          const RunEnvironment& environment,
                                          const KomLimits& limits) {
  STRAKE_TRY(Configuration documents, Loading(files, request, environment, limits).documents());
  if (documents.from_documents()) return documents;
  return load_legacy(files, request, limits);
}

Outcome<const provider::Cluster*> choose_cluster(const Configuration& from,
                                                 std::string_view cluster_id,
                                                 std::string_view cluster_name) {
  if (!cluster_id.empty())
    if (const provider::Cluster* found = from.store.cluster_by_id(cluster_id)) return found;
  const std::string_view wanted = !cluster_id.empty() ? cluster_id : cluster_name;
  if (!wanted.empty()) return from.store.find_cluster(wanted);
  if (const provider::Cluster* found = from.store.cluster_by_id(from.default_cluster_id))
    return found;
  return provider::refuse(FailureClass::kInvalid,
                          "no cluster specified: use --cluster-id or --cluster-name");
}

Outcome<const App*> choose_app(const Configuration& from, std::string_view app_id,
                               std::string_view app_name) {
  if (!app_id.empty())
    if (const App* found = from.store.app_by_id(app_id)) return found;
  const std::string_view wanted = !app_id.empty() ? app_id : app_name;
  if (!wanted.empty()) return from.store.find_app(wanted);
  if (const App* found = from.store.app_by_id(from.default_app_id)) return found;
  return provider::refuse(FailureClass::kInvalid, "no app specified: use --app-id or --app-name");
}

}  // namespace strake::ops
