#pragma once
// The Compose document of an app: the text it has, or the file it names.
#include <optional>
#include <string_view>

#include "ops/compose/interpolate.h"
#include "ops/compose/project.h"
#include "ops/compose/project_files.h"
#include "provider/failure.h"
#include "provider/model/app.h"

namespace strake::ops::compose {

struct AppCompose {
  Project project;
  std::optional<SubfolderFiles> beside;  // the files beside the document, when it may refer to any

  const ProjectFiles* files() const { return beside ? &*beside : nullptr; }
};

// `base` is what open_ref_base() gives for the app, and must outlive the answer. "file:<path>" is
// read from it, and then what the document refers to is beside that file. Fails with kValidation.
provider::Outcome<AppCompose> load_app_compose(const provider::App& app, const ProjectFiles* base,
                                               const Environment& environment);

}  // namespace strake::ops::compose
