#pragma once
// Errors of builds in plain words. The kustomize module fails with the texts of kustomize 5.5,
// which scripts that call the program by that name may look for. They speak of Go's types and
// system calls; under its own name the program says what is wrong instead.
#include <string>
#include <string_view>

namespace strake::cli {

// `placed`: the file and the line are shown before the message, so it need not repeat them.
std::string plain_words(std::string_view message, bool placed);

// Text with the actions of Go's templates, `{{ ... }}`, which is no YAML until it is rendered.
bool looks_like_helm_template(std::string_view text);
inline constexpr std::string_view kHelmTemplateHint =
    "this looks like a Helm template: render it first, for example with `helm template`";

}  // namespace strake::cli
