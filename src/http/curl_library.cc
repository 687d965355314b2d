// libcurl, loaded when it is first called. It brings twenty libraries along, and linked to the
// program they would take half of the time in which any command starts (4 of 8 ms), for the few
// commands that ever fetch something. These are the functions of libcurl that fetch.cc calls, each
// handing on to the real one; one more is one more here, and the linker asks for it.
#include <curl/curl.h>
#include <dlfcn.h>

#include <cstdarg>

#undef curl_easy_setopt
#undef curl_easy_getinfo

namespace strake::http {
namespace {

struct Curl {
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_perform) easy_perform = nullptr;
  decltype(&curl_easy_reset) easy_reset = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_free) free = nullptr;
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
  decltype(&curl_url) url = nullptr;
  decltype(&curl_url_cleanup) url_cleanup = nullptr;
  decltype(&curl_url_get) url_get = nullptr;
  decltype(&curl_url_set) url_set = nullptr;
};

class Loader {
 public:
  Loader() : library_(::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL)) {}

  template <typename Function>
  void find(const char* name, Function*& out) {
    out = library_ == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(library_, name));
    complete_ = complete_ && out != nullptr;
  }
  bool complete() const { return complete_; }

 private:
  void* library_;  // stays: it has threads and handlers of its own
  bool complete_ = true;
};

Curl load() {
  Loader loader;
  Curl out;
  loader.find("curl_easy_cleanup", out.easy_cleanup);
  loader.find("curl_easy_getinfo", out.easy_getinfo);
  loader.find("curl_easy_init", out.easy_init);
  loader.find("curl_easy_perform", out.easy_perform);
  loader.find("curl_easy_reset", out.easy_reset);
  loader.find("curl_easy_setopt", out.easy_setopt);
  loader.find("curl_easy_strerror", out.easy_strerror);
  loader.find("curl_free", out.free);
  loader.find("curl_global_init", out.global_init);
  loader.find("curl_slist_append", out.slist_append);
  loader.find("curl_slist_free_all", out.slist_free_all);
  loader.find("curl_url", out.url);
  loader.find("curl_url_cleanup", out.url_cleanup);
  loader.find("curl_url_get", out.url_get);
  loader.find("curl_url_set", out.url_set);
  return loader.complete() ? out : Curl();
}

// All functions, or none.
const Curl& curl() {
  static const Curl loaded = load();
  return loaded;
}

bool is_loaded() { return curl().global_init != nullptr; }

}  // namespace
}  // namespace strake::http

using strake::http::curl;
using strake::http::is_loaded;

// Without the library nothing can be begun: handles and URLs are null, and what is called with them
// says no.
CURLcode curl_global_init(long flags) {
  return is_loaded() ? curl().global_init(flags) : CURLE_FAILED_INIT;
}
CURL* curl_easy_init() { return is_loaded() ? curl().easy_init() : nullptr; }
void curl_easy_cleanup(CURL* handle) {
  if (is_loaded()) curl().easy_cleanup(handle);
}
void curl_easy_reset(CURL* handle) {
  if (is_loaded()) curl().easy_reset(handle);
}
CURLcode curl_easy_perform(CURL* handle) {
  return is_loaded() ? curl().easy_perform(handle) : CURLE_FAILED_INIT;
}
const char* curl_easy_strerror(CURLcode code) {
  return is_loaded() ? curl().easy_strerror(code) : "libcurl.so.4 cannot be loaded";
}

// The signatures of the next two are libcurl's, which takes an enumerator in front of the dots.
#pragma clang diagnostic ignored "-Wvarargs"

// The number of an option tells the type of its value: ten thousand for each type.
CURLcode curl_easy_setopt(CURL* handle, CURLoption option, ...) {
  if (!is_loaded()) return CURLE_FAILED_INIT;
  std::va_list rest;
  va_start(rest, option);
  CURLcode code = CURLE_OK;
  if (option < CURLOPTTYPE_OBJECTPOINT) {
    code = curl().easy_setopt(handle, option, va_arg(rest, long));
  } else if (option >= CURLOPTTYPE_OFF_T && option < CURLOPTTYPE_BLOB) {
    code = curl().easy_setopt(handle, option, va_arg(rest, curl_off_t));
  } else {
    code = curl().easy_setopt(handle, option, va_arg(rest, void*));
  }
  va_end(rest);
  return code;
}

CURLcode curl_easy_getinfo(CURL* handle, CURLINFO info, ...) {
  if (!is_loaded()) return CURLE_FAILED_INIT;
  std::va_list rest;
  va_start(rest, info);
  const CURLcode code = curl().easy_getinfo(handle, info, va_arg(rest, void*));
  va_end(rest);
  return code;
}

curl_slist* curl_slist_append(curl_slist* list, const char* line) {
  return is_loaded() ? curl().slist_append(list, line) : nullptr;
}
void curl_slist_free_all(curl_slist* list) {
  if (is_loaded()) curl().slist_free_all(list);
}
void curl_free(void* memory) {
  if (is_loaded()) curl().free(memory);
}

CURLU* curl_url() { return is_loaded() ? curl().url() : nullptr; }
void curl_url_cleanup(CURLU* url) {
  if (is_loaded()) curl().url_cleanup(url);
}
CURLUcode curl_url_get(CURLU* url, CURLUPart part, char** out, unsigned int flags) {
  return is_loaded() ? curl().url_get(url, part, out, flags) : CURLUE_BAD_HANDLE;
}
CURLUcode curl_url_set(CURLU* url, CURLUPart part, const char* text, unsigned int flags) {
  return is_loaded() ? curl().url_set(url, part, text, flags) : CURLUE_BAD_HANDLE;
}
