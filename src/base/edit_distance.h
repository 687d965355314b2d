#pragma once
// How far two words are apart, for "did you mean" in messages about unknown names.
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace strake {

// How many bytes must be put in, left out, changed or swapped with their neighbour to make b of a.
// No part is edited twice (the optimal string alignment form of the Damerau-Levenshtein distance).
// Stops early and returns limit + 1 once the distance is known to be more than limit, so long words
// cost little.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit = 64);

// The candidate nearest to word, the first of several equally near. Letters that differ in case
// alone count half, so that "Replicas" is near "replicas". Nothing when none is near enough: a
// third of the word's length, at least one.
std::optional<std::string_view> closest(std::string_view word,
                                        std::span<const std::string_view> candidates);

}  // namespace strake
