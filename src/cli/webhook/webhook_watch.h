#pragma once
// Reads schemas, policies and certificates again when their files change, and makes a certificate
// anew before it runs out. What cannot be used leaves the old one in place, and the log says why.
#include <thread>

#include "base/file_watch.h"
#include "base/owned_fd.h"
#include "cli/io/disk_files.h"
#include "cli/webhook/webhook_certificates.h"
#include "cli/webhook/webhook_server.h"
#include "http/server.h"

namespace strake::cli {

class WebhookWatch {
 public:
  // All must outlive it. Watches from a thread of its own.
  WebhookWatch(const WebhookOptions& options, const DiskFiles& files, Io& io,
               WebhookHandler& handler, http::Server& server, WebhookCertificates certificates);
  ~WebhookWatch();
  WebhookWatch(const WebhookWatch&) = delete;
  WebhookWatch& operator=(const WebhookWatch&) = delete;

  // Now, as for SIGHUP.
  void reload_soon();

 private:
  void add_watches();
  void watch();
  void reload_files();
  void reload_certificates();
  void wake(bool end);

  const WebhookOptions& options_;
  const DiskFiles& files_;
  Io& io_;
  WebhookHandler& handler_;
  http::Server& server_;
  WebhookCertificates certificates_;  // the thread's
  FileWatch watch_;                   // the thread's, once that runs
  OwnedFd wake_;                      // an eventfd
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

}  // namespace strake::cli
