#pragma once
// /statusz and /flagz: what is running and with which flags, as text for people or, asked for by
// name, as JSON; the paths, forms and texts of kube-apiserver 1.36. Where that one separates names
// and values by a sign that it draws by lot, this one always has the same.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/routes/route.h"
#include "base/time.h"

namespace strake::api {

class StatusPages final : public Route {
 public:
  using Lines = std::vector<std::pair<std::string, std::string>>;
  struct Facts {
    std::string version;  // of Strake
    // Flags that were set, by name. What is secret is not among them: see kClassified.
    std::map<std::string, std::string> flags = {};
    // Further lines of the text of /statusz.
    std::function<Lines()> more = {};
  };
  // Stands for a value that is nobody's business, as in kube-apiserver.
  static constexpr std::string_view kClassified = "CLASSIFIED";

  // It was started now. The clock must outlive it.
  StatusPages(Facts facts, const Clock& clock);
  bool takes(const Call& call) const override;
  AnswerTask<http::Response> answer(std::shared_ptr<Call> call) override;

 private:
  enum class Page : std::uint8_t { kStatusz, kFlagz };
  std::string text_of(Page page) const;
  // `version` of the group config.k8s.io.
  std::string json_of(Page page, std::string_view version) const;
  std::int64_t seconds_up() const;

  const Facts facts_;
  const Clock& clock_;
  const WallTime started_;
};

}  // namespace strake::api
