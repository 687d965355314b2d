#pragma once
// Where the pods of an app may run, from its deployment settings.
#include <map>
#include <string>
#include <vector>

#include "provider/failure.h"
#include "provider/model/app.h"

namespace strake::ops::compose {

struct Placement {
  std::map<std::string, std::string, std::less<>> node_selector;
  std::vector<provider::LabelRequirement> required_affinity;  // all of them; none: no affinity
};

// One pool or zone selects by label; several are an affinity. No pool is the pool "user". Values
// pass through as they are: drivers know what their zones are called. Fails with kValidation.
provider::Outcome<Placement> place(const provider::AppDeployment& deployment);

}  // namespace strake::ops::compose
