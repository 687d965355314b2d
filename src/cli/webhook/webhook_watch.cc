#include "cli/webhook/webhook_watch.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <filesystem>

#include "base/log.h"

namespace strake::cli {
namespace {

// Saving a file, and the way in which Kubernetes replaces mounted ones, are several changes.
constexpr std::chrono::milliseconds kQuietBeforeReload{200};
// Certificates are looked at so often: they are renewed weeks before they run out.
constexpr std::chrono::hours kLookAtCertificates{1};

// A folder and those below it.
void add_folders(const std::string& operand, std::vector<std::string>& out) {
  std::error_code error;
  if (!std::filesystem::is_directory(operand, error)) return;
  out.push_back(operand);
  for (std::filesystem::recursive_directory_iterator at(operand, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    if (at->is_directory(gone) && !at->is_symlink(gone)) out.push_back(at->path().string());
  }
}

}  // namespace

WebhookWatch::WebhookWatch(const WebhookOptions& options, const DiskFiles& files, Io& io,
                           WebhookHandler& handler, http::Server& server,
                           WebhookCertificates certificates)
    : options_(options),
      files_(files),
      io_(io),
      handler_(handler),
      server_(server),
      certificates_(std::move(certificates)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  add_watches();
  thread_ = std::thread([this] { watch(); });
}

WebhookWatch::~WebhookWatch() {
  wake(true);
  thread_.join();
}

void WebhookWatch::reload_soon() { wake(false); }

void WebhookWatch::wake(bool end) {
  if (end) ended_ = true;
  const std::uint64_t one = 1;
  static_cast<void>(::write(wake_.get(), &one, sizeof one));
}

void WebhookWatch::add_watches() {
  std::vector<std::string> folders;
  std::vector<std::string> files;
  for (const auto* operands : {&options_.validate.schemas, &options_.validate.policies}) {
    for (const std::string& one : *operands) {
      const std::size_t before = folders.size();
      add_folders(one, folders);
      if (folders.size() == before) files.push_back(one);
    }
  }
  for (const std::string* one :
       {&options_.tls_certificate_file, &options_.tls_key_file, &options_.ca_file}) {
    if (!one->empty()) files.push_back(*one);
  }
  if (const auto added = watch_.add(files, folders); !added)
    log::get("webhook").warn("changes are not noticed", {{"error", added.error()}});
}

void WebhookWatch::watch() {
  // They may have changed between being read and being watched.
  reload_certificates();
  while (!ended_) {
    const Result<bool> changed =
        watch_.wait(kQuietBeforeReload, Deadline::after(kLookAtCertificates), wake_.get());
    std::uint64_t asked = 0;
    const bool by_hand = ::read(wake_.get(), &asked, sizeof asked) > 0;
    if (ended_) return;
    if (!changed) {
      log::get("webhook").error("stopped looking for changes", {{"error", changed.error()}});
      return;
    }
    reload_certificates();
    if (*changed || by_hand) reload_files();
    add_watches();
  }
}

void WebhookWatch::reload_files() {
  const auto fresh = WebhookJudge::load(options_.validate, files_, io_);
  handler_.note_reload(fresh.has_value());
  if (!fresh) {
    log::get("webhook").error("schemas and policies were not reloaded, the old ones stay",
                              {{"error", fresh.error()}});
    return;
  }
  handler_.use(*fresh);
  log::get("webhook").info("reloaded schemas and policies",
                           {{"kinds", static_cast<std::int64_t>((*fresh)->kinds().size())}});
}

void WebhookWatch::reload_certificates() {
  auto fresh = load_certificates(options_, system_clock());
  if (fresh && fresh->tls.certificate_pem == certificates_.tls.certificate_pem &&
      fresh->tls.key_pem == certificates_.tls.key_pem)
    return;
  Result<> set;
  if (fresh) set = server_.set_tls(fresh->tls);
  if (!fresh || !set) {
    log::get("webhook").error("the certificate was not reloaded, the old one stays",
                              {{"error", fresh ? set.error() : fresh.error()}});
    return;
  }
  certificates_ = *std::move(fresh);
  handler_.note_certificate(certificates_.good_until);
  log::get("webhook").info("reloaded the certificate");
}

}  // namespace strake::cli
