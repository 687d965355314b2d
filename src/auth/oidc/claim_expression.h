#pragma once
// Expressions over the claims of a token (`claims`) or over the user made of them (`user`), in the
// environment of kube-apiserver 1.36. Immutable; shared by threads.
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "cel/eval/program.h"
#include "value/value.h"

namespace strake::auth {

class ClaimExpression {
 public:
  enum class About : std::uint8_t { kClaims, kUser };
  enum class Gives : std::uint8_t { kAny, kBool };

  // What is wrong with a text, in the words of kube-apiserver.
  struct Fault {
    std::string detail;
    bool is_internal = false;  // a program could not be made of it
  };
  static std::expected<ClaimExpression, Fault> compile(std::string_view text, About about,
                                                       Gives gives);

  const std::string& text() const { return text_; }
  // Whether it reads claims.email, and claims.email_verified.
  bool reads_email() const { return reads_email_; }
  bool reads_email_verified() const { return reads_email_verified_; }

  // The value is good as long as the arena. Fails with what kube-apiserver says.
  std::expected<cel::Value, std::string> evaluate(const value::Value& subject, Arena& arena) const;

 private:
  std::string text_;
  cel::Program program_;
  bool reads_email_ = false;
  bool reads_email_verified_ = false;
};

}  // namespace strake::auth
