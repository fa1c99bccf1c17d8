/* The files are part of the program: new-bot has to work where only the program is installed. */
#include "language.h"

#include <stddef.h>
#include <string.h>

#include "templates.h"

static const struct language languages[] = {
    {"c",
     "C",
     {{"CMakeLists.txt", template_c_CMakeLists_txt, false},
      {"main.c", template_c_main_c, false},
      {"README.md", template_c_README_md, false}}},
    {"python",
     "Python",
     {{"@NAME@", template_python_bot_py, true},
      {"bgref_pb2.py", template_schema_python, false},
      {"bgref.proto", template_schema, false},
      {"README.md", template_python_README_md, false}}},
    {"go",
     "Go",
     {{"go.mod", template_go_go_mod, false},
      {"main.go", template_go_main_go, false},
      {"dealer.go", template_go_dealer_go, false},
      {"bgref.proto", template_schema, false},
      {"README.md", template_go_README_md, false}}},
    {"rust",
     "Rust",
     {{"Cargo.toml", template_rust_Cargo_toml, false},
      {"build.rs", template_rust_build_rs, false},
      {"src/main.rs", template_rust_main_rs, false},
      {"bgref.proto", template_schema, false},
      {"README.md", template_rust_README_md, false}}},
    {"javascript",
     "JavaScript",
     {{"@NAME@", template_javascript_bot_js, true},
      {"package.json", template_javascript_package_json, false},
      {"bgref.proto", template_schema, false},
      {"README.md", template_javascript_README_md, false}}},
};

enum { LANGUAGES = sizeof languages / sizeof languages[0] };

const struct language *language_at(int i)
{
    return i >= 0 && i < LANGUAGES ? &languages[i] : NULL;
}

const struct language *language_find(const char *id)
{
    for (int i = 0; i < LANGUAGES; i++) {
        if (strcmp(languages[i].id, id) == 0) {
            return &languages[i];
        }
    }
    return NULL;
}

const char *language_readme(const struct language *language)
{
    for (int i = 0; i < LANGUAGE_FILES_MAX && language->files[i].path != NULL; i++) {
        if (strcmp(language->files[i].path, "README.md") == 0) {
            return (const char *)language->files[i].text;
        }
    }
    return "";
}
