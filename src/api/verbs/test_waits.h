#pragma once
// Conversion and admission that really wait, as for a webhook that takes its time: for tests of
// what happens meanwhile.
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "api/request/admission.h"
#include "api/request/converter.h"
#include "api/test_server.h"
#include "async/one_shot.h"

namespace strake::api::testing {

// While held, whoever comes waits. May be used from any thread.
class Turnstile {
 public:
  void hold(bool held);
  std::size_t waiting() const;
  // Returns when somebody waits.
  void wait_for_somebody() const;
  // Refuses when the token is cancelled first.
  AnswerTask<> pass(CancelToken cancel);

 private:
  mutable std::mutex mu_;
  bool held_ = false;                      // guarded by mu_
  std::vector<async::OneShot<>> waiting_;  // guarded by mu_
};

// Converts by schemas, after a wait.
class SlowConverter final : public Converter {
 public:
  bool is_at_once(const Conversion&) const override { return false; }
  Eventual<> convert(const Conversion& conversion, std::span<value::Document> documents,
                     const CancelToken& cancel) const override;

  mutable Turnstile turnstile;
  // How many objects came together, conversion by conversion.
  std::vector<std::size_t> batches() const;

 private:
  AnswerTask<> convert_later(Conversion conversion, std::span<value::Document> documents,
                             CancelToken cancel) const;
  mutable std::mutex mu_;
  mutable std::vector<std::size_t> batches_;  // guarded by mu_
};

// Writes down what it is asked, and lets it pass after a wait, or refuses it.
class SlowAdmission final : public Admission {
 public:
  Eventual<> admit(Call& call, const AdmissionRequest& request) const override;

  mutable Turnstile turnstile;
  // Which requests wait; all without it.
  std::function<bool(const AdmissionRequest&)> waits;
  // May change the object, or refuse with the text that it returns.
  std::function<std::string(const AdmissionRequest&)> judge;
  // "mutating create a", one for each; and forgets them.
  std::vector<std::string> take_asked() const;
  // Asked by the server's own controllers as well: only this resource is written down.
  std::string resource = "configmaps";

 private:
  AnswerTask<> admit_later(Call& call, AdmissionRequest request) const;
  Answer<> decide(const Call& call, const AdmissionRequest& request) const;
  mutable std::mutex mu_;
  mutable std::vector<std::string> asked_;  // guarded by mu_
};

// Asks while the turnstile is held, calls `meanwhile` once somebody waits there, and lets go.
Answered ask_held(Turnstile& turnstile, const std::function<Answered()>& ask,
                  const std::function<void()>& meanwhile);

}  // namespace strake::api::testing
