// Cases of the scaling test for the offline commands: each over files in which something stands n
// times.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/app.h"
#include "robustness/scaling_cases.h"

namespace strake::testing {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

// A folder that is gone with the program.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() / fmt::format("strake-scaling-{}", getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path fresh() {
    const auto out = path_ / fmt::format("{}", ++count_);
    std::filesystem::create_directories(out);
    return out;
  }

 private:
  std::filesystem::path path_;
  std::size_t count_ = 0;
};

Folder& folder() {
  static Folder one;
  return one;
}

int run_command(std::vector<std::string> args, const std::string& input) {
  cli::StringInput in(input);
  cli::StringOutput out;
  cli::StringOutput err;
  cli::Io io{.in = in, .out = out, .err = err};
  const cli::ExitCode code = cli::run("strake", args, io);
  // A command that did not understand its arguments, or could not read its files, measures nothing.
  // What the checkers are given is wrong on purpose.
  const bool checks = args[0] == "validate" || args[0] == "crd";
  if (code == cli::ExitCode::kInput && (!checks || err.text().contains(" --help")))
    return kNotUnderstood;
  return static_cast<int>(code);
}

// "@" in an argument stands for the folder.
void add(ScalingCases& cases, std::string name, std::vector<std::string> args,
         std::function<Files(std::size_t)> files) {
  cases.push_back({std::move(name), false, [args, files](std::size_t n) {
                     const auto where = folder().fresh();
                     for (const auto& [file, text] : files(n)) {
                       std::filesystem::create_directories((where / file).parent_path());
                       std::ofstream(where / file) << text;
                     }
                     std::vector<std::string> real = args;
                     for (std::string& arg : real) {
                       if (const std::size_t at = arg.find('@'); at != std::string::npos)
                         arg.replace(at, 1, where.string());
                     }
                     return Work{.run = [real] { return run_command(real, ""); },
                                 .clean_up = [where] { std::filesystem::remove_all(where); }};
                   }});
}

std::string crd_text(const std::string& versions, const std::string& more = "") {
  return R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.a.example}
spec:
  group: a.example
  scope: Namespaced
  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
)" + more +
         "  versions:\n" + versions;
}

std::string version_text(std::string_view name, bool storage, const std::string& properties) {
  return fmt::format(R"(  - name: {}
    served: true
    storage: {}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
{})",
                     name, storage, properties);
}

std::string properties(std::size_t n, std::string_view type = "string") {
  return repeat(
      n,
      [&](std::size_t i) {
        return fmt::format("              p{}: {{type: {}, description: Number {}.}}\n", i, type,
                           i);
      },
      "");
}

std::string small_crd() {
  return crd_text(version_text(
      "v1", true,
      "              list: {type: array, items: {type: integer, minimum: 0}}\n"
      "              map: {type: object, additionalProperties: {type: string}}\n"
      "              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}\n"));
}

std::string thing(std::string_view name, const std::string& spec) {
  return fmt::format("apiVersion: a.example/v1\nkind: Thing\nmetadata: {{name: {}}}\nspec:\n{}",
                     name, spec);
}

std::string lines(std::size_t n, std::string_view format) {
  return repeat(n, [&](std::size_t i) { return fmt::format(fmt::runtime(format), i); }, "");
}

void add_validate(ScalingCases& cases) {
  struct Input {
    std::string_view name;
    std::string (*text)(std::size_t n);
  };
  constexpr Input kInputs[] = {
      {"documents",
       [](std::size_t n) {
         return repeat(
             n,
             [](std::size_t i) { return "---\n" + thing(fmt::format("t{}", i), "  list: [1]\n"); },
             "");
       }},
      {"wrong documents",
       [](std::size_t n) {
         return repeat(
             n,
             [](std::size_t i) { return "---\n" + thing(fmt::format("t{}", i), "  list: [-1]\n"); },
             "");
       }},
      {"items", [](std::size_t n) { return thing("t", "  list:\n" + lines(n, "  - {}\n")); }},
      {"wrong items",
       [](std::size_t n) { return thing("t", "  list:\n" + lines(n, "  - -{}1\n")); }},
      {"equal set elements",
       [](std::size_t n) { return thing("t", "  set:\n" + lines(n, "  - a{0}\n  - a{0}\n")); }},
      {"wrong entries",
       [](std::size_t n) { return thing("t", "  map:\n" + lines(n, "    k{0}: {0}\n")); }},
      {"unknown fields", [](std::size_t n) { return thing("t", lines(n, "  u{0}: {0}\n")); }},
      {"duplicate keys",
       [](std::size_t n) { return thing("t", "  map:\n" + lines(n, "    k: a{0}\n")); }},
      {"labels that are wrong",
       [](std::size_t n) {
         return "apiVersion: a.example/v1\nkind: Thing\nmetadata:\n  name: t\n  labels:\n" +
                lines(n, "    -k{0}: v\n") + "spec: {}\n";
       }},
      {"a List",
       [](std::size_t n) {
         return "apiVersion: v1\nkind: List\nitems:\n" +
                lines(n,
                      "- {{apiVersion: a.example/v1, kind: Thing, metadata: {{name: t{0}}}, spec: "
                      "{{list: [-1]}}}}\n");
       }},
      {"unknown kinds",
       [](std::size_t n) {
         return lines(n, "---\napiVersion: b.example/v{0}\nkind: K{0}\nmetadata: {{name: t}}\n");
       }},
  };
  for (const Input& input : kInputs) {
    const auto files = [text = input.text](std::size_t n) {
      return Files{{"crd.yaml", small_crd()}, {"in.yaml", text(n)}};
    };
    add(cases, fmt::format("validate: {}", input.name),
        {"validate", "-s", "@/crd.yaml", "@/in.yaml"}, files);
    add(cases, fmt::format("validate --stream: {}", input.name),
        {"validate", "--stream", "-s", "@/crd.yaml", "@/in.yaml"}, files);
  }
  for (const std::string_view format : {"json", "yaml", "sarif", "junit", "github"}) {
    add(cases, fmt::format("validate -o {}: wrong items", format),
        {"validate", "-o", std::string(format), "--max-issues=5000", "-s", "@/crd.yaml",
         "@/in.yaml"},
        [](std::size_t n) {
          return Files{{"crd.yaml", small_crd()},
                       {"in.yaml", thing("t", "  list:\n" + lines(n, "  - -{}1\n"))}};
        });
  }
  add(cases, "validate --print: documents",
      {"validate", "--print", "-s", "@/crd.yaml", "@/in.yaml"}, [](std::size_t n) {
        return Files{{"crd.yaml", small_crd()},
                     {"in.yaml", repeat(
                                     n,
                                     [](std::size_t i) {
                                       return "---\n" +
                                              thing(fmt::format("t{}", i), "  list: [1]\n");
                                     },
                                     "")}};
      });
  add(cases, "validate: files", {"validate", "-s", "@/crd.yaml", "@/in"}, [](std::size_t n) {
    Files out{{"crd.yaml", small_crd()}};
    for (std::size_t i = 0; i < n; ++i)
      out.emplace_back(fmt::format("in/{}.yaml", i), thing("t", "  list: [1]\n"));
    return out;
  });
  add(cases, "validate: definitions", {"validate", "-s", "@/crds.yaml", "@/in.yaml"},
      [](std::size_t n) {
        return Files{{"crds.yaml", repeat(
                                       n,
                                       [](std::size_t i) {
                                         std::string text = small_crd();
                                         for (std::size_t at = text.find("thing");
                                              at != std::string::npos;
                                              at = text.find("thing", at + 1))
                                           text.replace(at, 5, fmt::format("thing{}x", i));
                                         return "---\n" + text;
                                       },
                                       "")},
                     {"in.yaml", thing("t", "  list: [1]\n")}};
      });
  add(cases, "validate --profile=loose: wrong items",
      {"validate", "--profile=loose", "-s", "@/schema.json", "@/in.json"}, [](std::size_t n) {
        return Files{
            {"schema.json",
             R"({"type":"object","properties":{"a":{"type":"array","uniqueItems":true,"items":{"type":"integer"}}},"additionalProperties":{"type":"string"}})"},
            {"in.json",
             R"({"a":[)" +
                 repeat(
                     n, [](std::size_t i) { return fmt::format("\"x{}\"", i); }, ",\n") +
                 "]," +
                 repeat(
                     n, [](std::size_t i) { return fmt::format("\"k{0}\":{0}", i); }, ",\n") +
                 "}"}};
      });
}

void add_definition_commands(ScalingCases& cases) {
  struct Crd {
    std::string_view name;
    std::string (*text)(std::size_t n);
  };
  constexpr Crd kCrds[] = {
      {"properties",
       [](std::size_t n) { return crd_text(version_text("v1", true, properties(n))); }},
      {"versions",
       [](std::size_t n) {
         return crd_text(repeat(
             n,
             [](std::size_t i) {
               return version_text(fmt::format("v{}", i + 1), i == 0, properties(1));
             },
             ""));
       }},
      {"rules",
       [](std::size_t n) {
         return crd_text(version_text("v1", true,
                                      "              a:\n                type: integer\n           "
                                      "     x-kubernetes-validations:\n" +
                                          lines(n, "                - {{rule: self != {}}}\n")));
       }},
      {"wrong properties",
       [](std::size_t n) {
         return crd_text(version_text(
             "v1", true,
             lines(n, "              p{}: {{type: nothing, default: {{}}, items: {{}}}}\n")));
       }},
      {"enumerations",
       [](std::size_t n) {
         return crd_text(version_text(
             "v1", true, "              a: {type: string, enum: [" + repeat(n, [](std::size_t i) {
                           return fmt::format("e{}", i);
                         }) + "]}\n"));
       }},
      {"stored versions",
       [](std::size_t n) {
         return crd_text(version_text("v1", true, properties(1))) +
                "status:\n  storedVersions:\n  - v1\n" + lines(n, "  - w{}\n");
       }},
      {"unknown fields",
       [](std::size_t n) {
         return crd_text(version_text("v1", true, properties(1)), lines(n, "  u{}: 1\n"));
       }},
  };
  for (const Crd& crd : kCrds) {
    const auto one = [text = crd.text](std::size_t n) { return Files{{"crd.yaml", text(n)}}; };
    const auto two = [text = crd.text](std::size_t n) {
      return Files{{"old.yaml", text(n)}, {"new.yaml", text(n / 2)}};
    };
    add(cases, fmt::format("crd lint: {}", crd.name), {"crd", "lint", "@/crd.yaml"}, one);
    add(cases, fmt::format("crd diff: fewer {}", crd.name),
        {"crd", "diff", "-v", "@/old.yaml", "@/new.yaml"}, two);
    add(cases, fmt::format("crd diff: more {}", crd.name),
        {"crd", "diff", "-v", "@/new.yaml", "@/old.yaml"}, two);
    add(cases, fmt::format("validate a definition: {}", crd.name), {"validate", "@/crd.yaml"}, one);
    add(cases, fmt::format("schema explain: {}", crd.name),
        {"schema", "explain", "thing.spec", "-s", "@/crd.yaml"}, one);
    add(cases, fmt::format("schema explain --recursive: {}", crd.name),
        {"schema", "explain", "thing", "--recursive", "-s", "@/crd.yaml"}, one);
    add(cases, fmt::format("schema export: {}", crd.name),
        {"schema", "export", "thing", "-s", "@/crd.yaml"}, one);
  }
}

void add_fmt(ScalingCases& cases) {
  struct Input {
    std::string_view name;
    std::string (*text)(std::size_t n);
  };
  constexpr Input kInputs[] = {
      {"keys",
       [](std::size_t n) {
         return repeat(n, [n](std::size_t i) { return fmt::format("k{:05}: 1\n", n - i); }, "");
       }},
      {"comments", [](std::size_t n) { return lines(n, "# one\nk{}: 1 # two\n\n"); }},
      {"documents", [](std::size_t n) { return lines(n, "---\na: {}\n"); }},
      {"items", [](std::size_t n) { return "a:\n" + lines(n, "- {{b: {0}, a: {0}}}\n"); }},
      {"block text", [](std::size_t n) { return "a: |\n" + lines(n, "  line {}\n"); }},
      {"aliases", [](std::size_t n) { return "a: &x [1]\n" + lines(n, "b{}: *x\n"); }},
  };
  for (const Input& input : kInputs) {
    const auto files = [text = input.text](std::size_t n) { return Files{{"in.yaml", text(n)}}; };
    add(cases, fmt::format("fmt: {}", input.name), {"fmt", "@/in.yaml"}, files);
    add(cases, fmt::format("fmt --to=json: {}", input.name), {"fmt", "--to=json", "@/in.yaml"},
        files);
    add(cases, fmt::format("fmt --diff: {}", input.name), {"fmt", "--diff", "@/in.yaml"}, files);
  }
}

void add_build(ScalingCases& cases) {
  constexpr std::string_view kHead =
      "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";
  const auto config_map = [](std::size_t i) {
    return fmt::format(
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{0}}}\ndata: {{a: b{0}}}\n", i);
  };
  const std::string deployment = R"(apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  template:
    spec:
      containers:
      - {name: c, image: i}
)";
  const auto of = [&](std::string_view name, std::function<std::string(std::size_t)> kustomization,
                      std::function<Files(std::size_t)> more) {
    add(cases, fmt::format("build: {}", name), {"build", "@"}, [=](std::size_t n) {
      Files out = more(n);
      out.emplace_back("kustomization.yaml", std::string(kHead) + kustomization(n));
      return out;
    });
  };
  const auto many = [=](std::size_t n) { return Files{{"all.yaml", repeat(n, config_map, "")}}; };
  const auto deployed = [=](std::size_t) { return Files{{"d.yaml", deployment}}; };
  of("resources", [](auto) { return "resources: [all.yaml]\n"; }, many);
  of(
      "resources, named and labelled",
      [](auto) {
        return "resources: [all.yaml]\nnamePrefix: a-\nnamespace: one\nlabels: [{pairs: {a: b}, "
               "includeSelectors: true}]\ncommonAnnotations: {x: z}\n";
      },
      many);
  of(
      "files", [](std::size_t n) { return "resources:\n" + lines(n, "- r{}.yaml\n"); },
      [=](std::size_t n) {
        Files out;
        for (std::size_t i = 0; i < n; ++i)
          out.emplace_back(fmt::format("r{}.yaml", i), config_map(i));
        return out;
      });
  of(
      "generated config maps",
      [](std::size_t n) {
        return "configMapGenerator:\n" + lines(n, "- {{name: g{}, literals: [a=b]}}\n");
      },
      [](auto) { return Files{}; });
  of(
      "literals",
      [](std::size_t n) {
        return "configMapGenerator:\n- name: g\n  literals:\n" + lines(n, "  - k{0}=v{0}\n");
      },
      [](auto) { return Files{}; });
  of(
      "env lines", [](auto) { return "configMapGenerator:\n- {name: g, envs: [e.env]}\n"; },
      [](std::size_t n) { return Files{{"e.env", lines(n, "K{0}=v{0}\n")}}; });
  of(
      "patches",
      [](std::size_t n) {
        return "resources: [d.yaml]\npatches:\n" +
               lines(n,
                     "- patch: "
                     "'{{\"apiVersion\":\"apps/"
                     "v1\",\"kind\":\"Deployment\",\"metadata\":{{\"name\":\"d\",\"annotations\":{{"
                     "\"a\":\"b{0}\"}}}}}}'\n");
      },
      deployed);
  of(
      "patches that each add a key",
      [](std::size_t n) {
        return "resources: [d.yaml]\npatches:\n" +
               lines(n,
                     "- patch: "
                     "'{{\"apiVersion\":\"apps/"
                     "v1\",\"kind\":\"Deployment\",\"metadata\":{{\"name\":\"d\",\"annotations\":{{"
                     "\"a{0}\":\"b\"}}}}}}'\n");
      },
      deployed);
  of(
      "members that a patch deletes",
      [](auto) { return "resources: [d.yaml]\npatches: [{path: p.yaml}]\n"; },
      [](std::size_t n) {
        const auto text = [n](std::string_view format) {
          return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: d}\ndata:\n" + lines(n, format);
        };
        return Files{{"d.yaml", text("  k{0}: v\n  o{0}: v\n")},
                     {"p.yaml", text("  k{0}: null\n")}};
      });
  of(
      "members that a JSON patch removes",
      [](std::size_t n) {
        return "resources: [d.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |\n" +
               lines(n, "    - {{op: remove, path: /data/k{0}}}\n");
      },
      [](std::size_t n) {
        return Files{{"d.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: d}\ndata:\n" +
                                    lines(n, "  k{0}: v\n  o{0}: v\n")}};
      });
  of(
      "members of a patch", [](auto) { return "resources: [d.yaml]\npatches: [{path: p.yaml}]\n"; },
      [](std::size_t n) {
        const auto text = [n](std::string_view format) {
          return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: d}\ndata:\n" + lines(n, format);
        };
        return Files{{"d.yaml", text("  k{0}: v\n  o{0}: v\n")},
                     {"p.yaml", text("  k{0}: w\n  n{0}: w\n")}};
      });
  of(
      "operations of a JSON patch",
      [](std::size_t n) {
        return "resources: [d.yaml]\npatches:\n- target: {kind: Deployment}\n  patch: |\n    - "
               "{op: add, path: /metadata/annotations, value: {}}\n" +
               lines(n, "    - {{op: add, path: /metadata/annotations/a{0}, value: b}}\n");
      },
      deployed);
  of(
      "images",
      [](std::size_t n) {
        return "resources: [d.yaml]\nimages:\n" + lines(n, "- {{name: i{}, newTag: v1}}\n");
      },
      deployed);
  of(
      "containers",
      [](auto) {
        return "resources: [d.yaml]\nimages: [{name: i, newTag: v}]\npatches:\n- path: p.yaml\n";
      },
      [](std::size_t n) {
        const std::string list = lines(n, "      - {{name: c{}, image: i}}\n");
        const std::string head =
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  template:\n    "
            "spec:\n      containers:\n";
        return Files{{"d.yaml", head + list}, {"p.yaml", head + list}};
      });
  of(
      "labels",
      [](std::size_t n) {
        return "resources: [d.yaml]\nlabels:\n- pairs:\n" + lines(n, "    k{0}: v{0}\n");
      },
      deployed);
  of(
      "replicas",
      [](std::size_t n) {
        return "resources: [d.yaml]\nreplicas:\n- {name: d, count: 2}\n" +
               lines(n, "- {{name: d, count: {}}}\n");
      },
      deployed);
  of(
      "replacement targets",
      [](std::size_t n) {
        return "resources: [d.yaml]\nreplacements:\n- source: {kind: Deployment, fieldPath: "
               "metadata.name}\n  targets:\n" +
               lines(n,
                     "  - {{select: {{kind: Deployment}}, fieldPaths: [metadata.annotations.a{}], "
                     "options: {{create: true}}}}\n");
      },
      deployed);
  of(
      "references to generated names",
      [](std::size_t n) {
        return "resources: [d.yaml]\nconfigMapGenerator:\n" +
               lines(n, "- {{name: g{}, literals: [a=b]}}\n");
      },
      [](std::size_t n) {
        return Files{
            {"d.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  volumes:\n" +
                           lines(n, "  - {{name: v{0}, configMap: {{name: g{0}}}}}\n")}};
      });
  of(
      "variables",
      [](std::size_t n) {
        return "resources: [all.yaml]\nvars:\n" +
               lines(n,
                     "- {{name: V{0}, objref: {{apiVersion: v1, kind: ConfigMap, name: c{0}}}, "
                     "fieldref: {{fieldpath: data.a}}}}\n");
      },
      many);
}

void add_cel(ScalingCases& cases) {
  struct Expression {
    std::string_view name;
    std::string (*text)(std::size_t n);
  };
  constexpr Expression kExpressions[] = {
      {"a list",
       [](std::size_t n) {
         return "[" + repeat(n, [](std::size_t i) { return fmt::format("{}", i); }) + "].size()";
       }},
      {"terms",  // no more than the parser lets nest, n in all
       [](std::size_t n) {
         return "[" +
                repeat(n / 50 + 1,
                       [](auto) {
                         return "1" + repeat(49, [](auto) { return std::string("+1"); }, "");
                       }) +
                "].size()";
       }},
      {"members",
       [](std::size_t n) {
         return "{" + repeat(n, [](std::size_t i) { return fmt::format("'k{0}':{0}", i); }) +
                "}.size()";
       }},
  };
  for (const Expression& one : kExpressions) {
    cases.push_back({fmt::format("cel: {}", one.name), false, [text = one.text](std::size_t n) {
                       return Work{
                           .run = [made = text(n)] { return run_command({"cel", made}, ""); }};
                     }});
  }
  constexpr std::string_view kOverSelf[] = {"self.list.map(x, x * 2).size()",
                                            "self.list.all(x, x >= 0)",
                                            "self.list.filter(x, x > 3).size()",
                                            "self.map.exists(k, self.map[k] == 'z')",
                                            "self.list.sum()",
                                            "self.list.isSorted()",
                                            "self.list == self.list",
                                            "self.text.split(',').size()",
                                            "self.text.replace(',', ';').size()"};
  for (const std::string_view expression : kOverSelf) {
    add(cases, fmt::format("cel: {}", expression),
        {"cel", "--self", "@/self.json", std::string(expression)}, [](std::size_t n) {
          return Files{
              {"self.json",
               R"({"list":[)" + repeat(n, [](std::size_t i) { return fmt::format("{}", i); }) +
                   R"(],"map":{)" +
                   repeat(n, [](std::size_t i) { return fmt::format("\"k{0}\":\"v{0}\"", i); }) +
                   R"(},"text":")" +
                   repeat(n, [](std::size_t i) { return fmt::format("w{}", i); }) + "\"}"}};
        });
  }
}

}  // namespace

void add_commands(ScalingCases& cases) {
  add_validate(cases);
  add_definition_commands(cases);
  add_fmt(cases);
  add_build(cases);
  add_cel(cases);
}

}  // namespace strake::testing
