#pragma once
// Which files an app may refer to: those beside the file that declares it, when that is the app
// file (or the single file of old); none for apps that come from elsewhere. What may stand in a
// reference is judged when the app is converted (ops/compose/project_files.h).
#include <string>
#include <string_view>

namespace strake::ops {

// App::ref_base of apps that are declared in a file of that absolute path: "file://<folder>/".
std::string ref_base_of_file(std::string_view path);

}  // namespace strake::ops
