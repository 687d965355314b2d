#pragma once
// Which files an app may refer to: those beside the file that declares it, when that is the app
// file (or the single file of old); none for apps that come from elsewhere. Asked when an app is
// converted, not when it is read.
#include <optional>
#include <string>
#include <string_view>

#include "provider/failure.h"

namespace strake::ops {

// App::ref_base of apps that are declared in a file of that absolute path: "file://<folder>/".
std::string ref_base_of_file(std::string_view path);

// The path in "file:<path>"; nothing when the text is a Compose document itself.
std::optional<std::string_view> file_reference(std::string_view compose);

// The absolute path of what an app refers to. Fails with kValidation when it may refer to no files,
// or the path is empty, absolute or leads upwards.
provider::Outcome<std::string> local_reference(std::string_view ref_base, std::string_view path);

}  // namespace strake::ops
