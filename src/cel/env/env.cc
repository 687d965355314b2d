#include "cel/env/env.h"

namespace strake::cel {

Environment::Environment(std::span<const Library* const> libraries, EnvironmentOptions options)
    : options_(options) {
  for (const Library* library : libraries) {
    for (const FunctionDecl& f : library->functions()) {
      FunctionDecl& merged = functions_.try_emplace(f.name, FunctionDecl{f.name, {}}).first->second;
      merged.overloads.insert(merged.overloads.end(), f.overloads.begin(), f.overloads.end());
    }
    auto note_segment = [this](std::string_view name) {
      const std::size_t dot = name.find('.');
      if (dot != std::string_view::npos) first_segments_.insert(name.substr(0, dot));
    };
    for (const FunctionDecl& f : library->functions()) note_segment(f.name);
    for (const Constant& c : library->constants()) note_segment(c.name);
    for (const Macro& m : library->macros()) macros_[m.name].push_back(m);
    for (const Constant& c : library->constants()) constants_.insert_or_assign(c.name, c);
  }
}

const FunctionDecl* Environment::find_function(std::string_view name) const {
  const auto it = functions_.find(name);
  return it == functions_.end() ? nullptr : &it->second;
}

const Macro* Environment::find_macro(std::string_view name, bool member,
                                     std::size_t arguments) const {
  if (!options_.macros) return nullptr;
  const auto it = macros_.find(name);
  if (it == macros_.end()) return nullptr;
  const Macro* any_number = nullptr;
  for (const Macro& m : it->second) {
    if (m.member != member) continue;
    if (m.arguments == static_cast<int>(arguments)) return &m;
    if (m.arguments < 0) any_number = &m;
  }
  return any_number;
}

const Constant* Environment::find_constant(std::string_view name) const {
  const auto it = constants_.find(name);
  return it == constants_.end() ? nullptr : &it->second;
}

bool Environment::starts_dotted_name(std::string_view first_segment) const {
  return first_segments_.contains(first_segment);
}

std::vector<std::string> candidate_names(std::string_view container, std::string_view name) {
  if (name.starts_with('.')) return {std::string(name.substr(1))};
  std::vector<std::string> out;
  for (std::string_view prefix = container; !prefix.empty();) {
    out.push_back(std::string(prefix) + "." + std::string(name));
    const std::size_t dot = prefix.rfind('.');
    prefix = dot == std::string_view::npos ? std::string_view{} : prefix.substr(0, dot);
  }
  out.emplace_back(name);
  return out;
}

}  // namespace strake::cel
