#include "patch/go_text.h"

#include "base/number_format.h"
#include "base/quote.h"
#include "value/json_writer.h"

namespace strake::patch {

using value::Member;
using value::Type;
using value::Value;

namespace {

constexpr std::size_t kMaxPrintDepth = 1'000;

class Printer {
 public:
  explicit Printer(bool syntax) : syntax_(syntax) {}

  void print(const Value& v, std::size_t depth) {
    if (depth > kMaxPrintDepth) {
      out_ += "...";
      return;
    }
    switch (v.type()) {
      case Type::kNull: out_ += syntax_ ? "interface {}(nil)" : "<nil>"; break;
      case Type::kBool: out_ += v.as_bool() ? "true" : "false"; break;
      case Type::kDouble: out_ += format_go_v(v.as_double()); break;
      case Type::kString: text(v.as_string()); break;
      case Type::kArray:
        out_ += syntax_ ? "[]interface {}{" : "[";
        for (std::size_t i = 0; i < v.size(); ++i) {
          separate(i);
          print(v.items()[i], depth + 1);
        }
        out_ += syntax_ ? "}" : "]";
        break;
      case Type::kObject:
        out_ += syntax_ ? "map[string]interface {}{" : "map[";
        for (std::size_t i = 0; i < v.size(); ++i) {
          separate(i);
          text(v.members()[i].key);
          out_ += ':';
          print(v.members()[i].value, depth + 1);
        }
        out_ += syntax_ ? "}" : "]";
        break;
      default: value::write_json(v, out_); break;
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void text(std::string_view s) {
    if (syntax_) {
      append_quoted(out_, s);
    } else {
      out_ += s;
    }
  }
  void separate(std::size_t index) {
    if (index != 0) out_ += syntax_ ? ", " : " ";
  }

  bool syntax_;
  std::string out_;
};

}  // namespace

std::string go_text(const Value& v) {
  Printer printer(false);
  printer.print(v, 0);
  return printer.take();
}

std::string go_syntax(const Value& v) {
  Printer printer(true);
  printer.print(v, 0);
  return printer.take();
}

}  // namespace strake::patch
