#include "validate/messages.h"

#include <fmt/format.h>

#include "validate/phrases.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::validate {
namespace {

// A detail as people read it: texts without their quotes. Empty when there is none.
std::string shown(const Fault& fault, std::string_view name) {
  for (const Param& param : fault.params) {
    if (param.name != name) continue;
    const auto read = value::read_json(param.json);
    if (read && read->root().is_string()) return std::string(read->root().as_string());
    return param.json;
  }
  return {};
}

std::string unit_in_japanese(const Fault& fault) {
  const std::string unit = shown(fault, "unit");
  if (unit == "characters") return "文字数";
  if (unit == "properties") return "項目数";
  return unit == "matching items" ? "条件に合う要素の数" : "要素数";
}

std::string with_got(std::string text, const Fault& fault) {
  const std::string got = shown(fault, "got");
  return got.empty() ? text : fmt::format("{} (実際の値: {})", text, got);
}

std::string named(std::string_view before, const std::string& name, std::string_view after) {
  return name.empty() ? fmt::format("{}{}", before, after)
                      : fmt::format("{}「{}」{}", before, name, after);
}

std::string bound_in_japanese(const Fault& fault, bool least) {
  const std::string bound = shown(fault, least ? "minimum" : "maximum");
  const std::string format = shown(fault, "format");
  if (bound.empty()) return with_got(fmt::format("{} の範囲に収まりません", format), fault);
  const bool exclusive = shown(fault, "exclusive") == "true";
  const std::string_view word =
      least ? (exclusive ? "より大きい" : "以上の") : (exclusive ? "未満の" : "以下の");
  return with_got(fmt::format("{} {}値でなければなりません", bound, word), fault);
}

std::string count_in_japanese(const Fault& fault, bool least) {
  const std::string bound = shown(fault, least ? "min" : "max");
  if (bound.empty()) return least ? "短すぎます" : "長すぎます";
  return with_got(fmt::format("{}は {} {}でなければなりません", unit_in_japanese(fault), bound,
                              least ? "以上" : "以下"),
                  fault);
}

// With the words of the server, the parser or the schema's author behind it, where those say more
// than the code does.
std::string detailed(std::string_view text, const Fault& fault) {
  return fault.message.empty() ? std::string(text) : fmt::format("{}: {}", text, fault.message);
}

// One type, or a JSON array of them: "文字列、null".
std::string types_in_japanese(const std::string& names) {
  const auto read = value::read_json(names);
  if (!read || !read->root().is_array()) {
    if (names == "integer,string") return std::string(*japanese_type("integer or string"));
    return std::string(japanese_type(names).value_or(names));
  }
  std::string out;
  for (const value::Value& name : read->root().items()) {
    if (!out.empty()) out += "または";
    if (name.is_string()) out += japanese_type(name.as_string()).value_or(name.as_string());
  }
  return out;
}

std::string by_code(const Fault& fault);

// Sentences of this program are found again in their table; everything else is said anew from the
// code and the details of the fault.
std::string japanese(const Fault& fault) {
  // The message of a rule is its author's.
  if (fault.issue != Issue::kCelViolation) {
    if (auto own = japanese_of(fault.message)) return *std::move(own);
  }
  return by_code(fault);
}

// What was wrong in the branch that came nearest, from the details of the fault.
std::string branch_in_japanese(const value::Value& branch) {
  constexpr std::size_t kMostTold = 3;
  std::string out;
  for (std::size_t i = 0; i < branch.size() && i < kMostTold; ++i) {
    const value::Value& nested = branch.items()[i];
    Fault fault{.issue = schema::issue_code(text_of(nested, "code")).value_or(Issue::kCustom),
                .message = std::string(text_of(nested, "message"))};
    if (const value::Value* params = nested.find("params"); params != nullptr) {
      for (const value::Member& m : params->members())
        fault.params.push_back({std::string(m.key), value::to_json(m.value)});
    }
    out += out.empty() ? "最も近い候補: " : "。";
    if (!text_of(nested, "fieldPath").empty())
      out += fmt::format("{}: ", text_of(nested, "fieldPath"));
    out += japanese(fault);
  }
  if (branch.size() > kMostTold) out += fmt::format("。ほか {} 件", branch.size() - kMostTold);
  return out;
}

std::string by_code(const Fault& fault) {
  switch (fault.issue) {
    case Issue::kInvalidType: {
      const std::string expected = shown(fault, "expected");
      if (expected.empty()) return detailed("型が違います", fault);
      const std::string wanted = types_in_japanese(expected);
      const std::string got = shown(fault, "got");
      if (got.empty()) return fmt::format("型が違います: {}が必要です", wanted);
      return fmt::format("型が違います: {}が必要です (実際の値: {})", wanted,
                         types_in_japanese(got));
    }
    case Issue::kRequired: return named("必須の項目", shown(fault, "property"), "がありません");
    case Issue::kUnknownKey: return named("項目", shown(fault, "key"), "はスキーマにありません");
    case Issue::kDuplicateKey: return named("キー", shown(fault, "key"), "が重複しています");
    case Issue::kDuplicateItem:
      return named("リストの要素", shown(fault, "keys"), "が重複しています");
    case Issue::kTooSmall: return bound_in_japanese(fault, true);
    case Issue::kTooBig: return bound_in_japanese(fault, false);
    case Issue::kNotMultiple:
      return with_got(fmt::format("{} の倍数でなければなりません", shown(fault, "multipleOf")),
                      fault);
    case Issue::kTooShort: return count_in_japanese(fault, true);
    case Issue::kTooLong: return count_in_japanese(fault, false);
    case Issue::kPattern: return fmt::format("パターン {} に一致しません", shown(fault, "pattern"));
    case Issue::kInvalidEnum:
      return with_got(fmt::format("次のいずれかでなければなりません: {}", shown(fault, "allowed")),
                      fault);
    case Issue::kInvalidFormat: {
      const std::string format = shown(fault, "format");
      if (format.empty()) return detailed("形式が正しくありません", fault);
      return fmt::format("{} の形式ではありません", format);
    }
    case Issue::kUnionAmbiguous: {
      const std::string matched = shown(fault, "matched");
      return fmt::format("複数の候補に一致します{}。一致してよいのは一つだけです",
                         matched.empty() ? "" : fmt::format(" ({})", matched));
    }
    case Issue::kNoMatch: return "どの候補にも一致しません";
    case Issue::kNotAllowed: return detailed("ここでは許されません", fault);
    case Issue::kDiscriminatorMissing:
      return named("候補を選ぶ項目", shown(fault, "property"), "がありません");
    case Issue::kDiscriminatorUnknown:
      return fmt::format(
          "{} (候補: {})",
          named("候補を選ぶ項目", shown(fault, "property"), "の値に当たる候補がありません"),
          shown(fault, "allowed"));
    case Issue::kCelViolation: return detailed("検証規則に反しています", fault);
    case Issue::kCelError: return detailed("検証規則を評価できません", fault);
    case Issue::kCelBudget: return detailed("検証規則の計算量が上限を超えています", fault);
    case Issue::kCelCompile: return detailed("検証規則をコンパイルできません", fault);
    case Issue::kParseError: return detailed("文書を読み取れません", fault);
    case Issue::kOverflow: return detailed("数値が表せる範囲を超えています", fault);
    case Issue::kTruncated: return detailed("上限に達したため途中で打ち切りました", fault);
    case Issue::kBufferExceeded: return detailed("保持できる量を超えるため検査していません", fault);
    case Issue::kSchemaInvalid: return detailed("スキーマが正しくありません", fault);
    case Issue::kSchemaUnsupported:
      return detailed(
          named("スキーマのキーワード", shown(fault, "keyword"), "には対応していません"), fault);
    case Issue::kSchemaMissing: return detailed("スキーマがありません", fault);
    case Issue::kUnreadable: return detailed("ファイルを読めません", fault);
    case Issue::kDomainRange: return detailed("値が許される範囲にありません", fault);
    case Issue::kAggregateViolation: return detailed("全体としての条件を満たしていません", fault);
    case Issue::kUniqueness: return detailed("一意でなければなりません", fault);
    case Issue::kBusinessRule: return detailed("業務上の規則に反しています", fault);
    case Issue::kConflict: return detailed("ほかの値と食い違っています", fault);
    case Issue::kDependencyUnavailable: return detailed("必要なものが利用できません", fault);
    case Issue::kCustom: return fault.message;
  }
  return fault.message;
}

}  // namespace

Locale locale_of(std::string_view name) {
  const std::string_view language = name.substr(0, name.find_first_of("-_."));
  return language == "ja" ? Locale::kJapanese : Locale::kEnglish;
}

std::string in_language(std::string_view english, Locale locale) {
  if (locale == Locale::kEnglish) return std::string(english);
  return japanese_of(english).value_or(std::string(english));
}

Error in_language(Error error, Locale locale) {
  if (locale == Locale::kEnglish) return error;
  Error out(error.code(), in_language(error.message(), locale));
  if (!error.path().empty()) out = std::move(out).at(error.path());
  if (error.position()) out = std::move(out).at(*error.position());
  if (!error.source().empty()) out = std::move(out).in(error.source());
  for (const Error& cause : error.causes())
    out = std::move(out).because(in_language(cause, locale));
  return out;
}

std::string message_of(const Fault& fault, Locale locale) {
  return locale == Locale::kJapanese ? japanese(fault) : fault.message;
}

std::string hint_of(const Fault& fault, Locale locale) {
  if (locale == Locale::kEnglish || fault.hint.empty()) return fault.hint;
  for (const Param& param : fault.params) {
    if (param.name != "branch") continue;
    if (const auto read = value::read_json(param.json); read && read->root().is_array())
      return branch_in_japanese(read->root());
  }
  return in_language(fault.hint, locale);
}

}  // namespace strake::validate
