#include "validate/ignore_comments.h"

#include <algorithm>

#include "base/edit_distance.h"
#include "base/lines.h"
#include "validate/phrases.h"

// `# strake:ignore [CODES] [-- REASON]` covers its line, or the next line with content when it
// stands alone; `# strake:ignore-document` covers all up to the dividers around it. Comments are
// found in the text, not by the parser, which drops them. A # inside of a block scalar is therefore
// taken for a comment as well. What cannot be parsed is never ignored.

namespace strake::validate {
namespace {

constexpr std::string_view kWord = "strake:ignore";
constexpr std::string_view kDocument = "-document";

bool is_marker(std::string_view line) {
  return line.starts_with("---") &&
         (line.size() == 3 || line[3] == ' ' || line[3] == '\t' || line[3] == '\r');
}

bool is_blank_or_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

// Where the comment's sign stands, when the word at this place of the line is the first of a
// comment.
std::optional<std::size_t> comment_before(std::string_view line, std::size_t word) {
  std::size_t at = word;
  while (at > 0 && (line[at - 1] == ' ' || line[at - 1] == '\t')) --at;
  if (at == 0 || line[at - 1] != '#') return std::nullopt;
  --at;
  if (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t') return std::nullopt;
  return at;
}

// "a, b -- because" as a and b.
std::vector<std::string> rules_of(std::string_view rest) {
  rest = rest.substr(0, rest.find("--"));
  std::vector<std::string> out;
  constexpr std::string_view kBetween = ", \t\r";
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBetween), rest.size()));
    if (rest.empty()) return out;
    const std::size_t end = std::min(rest.find_first_of(kBetween), rest.size());
    out.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end);
  }
}

bool is_broken(Issue issue) {
  return issue == Issue::kParseError || issue == Issue::kUnreadable || issue == Issue::kOverflow;
}

}  // namespace

IgnoreComments::IgnoreComments(std::string_view text) {
  if (text.find(kWord) == std::string_view::npos) return;
  const std::vector<std::string_view> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const std::size_t word = line.find(kWord);
    if (word == std::string_view::npos) continue;
    const auto sign = comment_before(line, word);
    if (!sign) continue;
    std::string_view rest = line.substr(word + kWord.size());
    const bool document = rest.starts_with(kDocument);
    if (document) rest.remove_prefix(kDocument.size());
    if (!rest.empty() && rest.front() != ' ' && rest.front() != '\t' && rest.front() != '\r')
      continue;  // another word
    One one{.first_line = i + 1,
            .last_line = i + 1,
            .rules = rules_of(rest),
            .at = {},
            .source_line = std::string(line)};
    one.at.offset = static_cast<std::uint64_t>(line.data() + word - text.data());
    one.at.line = static_cast<std::uint32_t>(i + 1);
    one.at.column = static_cast<std::uint32_t>(word + 1);
    if (document) {
      while (one.first_line > 1 && !is_marker(lines[one.first_line - 1])) --one.first_line;
      while (one.last_line < lines.size() && !is_marker(lines[one.last_line])) ++one.last_line;
    } else if (is_blank_or_comment(line)) {
      std::size_t next = i + 1;
      while (next < lines.size() && is_blank_or_comment(lines[next])) ++next;
      one.first_line = one.last_line = next + 1;
    }
    all_.push_back(std::move(one));
  }
}

bool IgnoreComments::covers(const Finding& finding) const {
  if (!finding.position || is_broken(finding.fault.issue)) return false;
  const std::size_t line = finding.position->line;
  const std::string_view code = to_string(finding.fault.issue);
  return std::ranges::any_of(all_, [&](const One& one) {
    return one.first_line <= line && line <= one.last_line &&
           (one.rules.empty() || std::ranges::find(one.rules, code) != one.rules.end());
  });
}

std::vector<Finding> IgnoreComments::mistakes() const {
  std::vector<std::string_view> known;
  for (const Issue issue : schema::all_issue_codes()) known.push_back(to_string(issue));
  std::vector<Finding> out;
  for (const One& one : all_) {
    for (const std::string& rule : one.rules) {
      if (std::ranges::find(known, rule) != known.end()) continue;
      Finding finding{.fault = {.issue = Issue::kCustom, .severity = Severity::kWarning}};
      finding.fault.message = say(Phrase::kUnknownRule, rule);
      if (const auto near = closest(rule, known))
        finding.fault.hint = say(Phrase::kDidYouMean, *near);
      finding.position = one.at;
      finding.source_line = one.source_line;
      out.push_back(std::move(finding));
    }
  }
  return out;
}

void apply_ignore_comments(std::string_view text, FileResult& result) {
  const IgnoreComments comments(text);
  if (comments.empty()) return;
  for (DocumentResult& document : result.documents) {
    const std::size_t count = std::erase_if(
        document.findings, [&](const Finding& finding) { return comments.covers(finding); });
    result.ignored += count;
    if (count > 0) settle_status(document);
  }
  std::vector<Finding> mistakes = comments.mistakes();
  if (mistakes.empty() || result.documents.empty()) return;
  std::vector<Finding>& findings = result.documents.front().findings;
  findings.insert(findings.end(), std::make_move_iterator(mistakes.begin()),
                  std::make_move_iterator(mistakes.end()));
}

}  // namespace strake::validate
