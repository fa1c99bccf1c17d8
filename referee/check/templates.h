/* templates.h - the files of templates/ inside the program, each terminated by a zero byte. */
#ifndef REFEREE_CHECK_TEMPLATES_H
#define REFEREE_CHECK_TEMPLATES_H

extern const unsigned char template_schema[];        /* proto/bgref.proto */
extern const unsigned char template_schema_python[]; /* what protoc makes of it */

extern const unsigned char template_c_CMakeLists_txt[];
extern const unsigned char template_c_main_c[];
extern const unsigned char template_c_README_md[];
extern const unsigned char template_python_bot_py[];
extern const unsigned char template_python_README_md[];
extern const unsigned char template_go_go_mod[];
extern const unsigned char template_go_main_go[];
extern const unsigned char template_go_dealer_go[];
extern const unsigned char template_go_README_md[];
extern const unsigned char template_rust_Cargo_toml[];
extern const unsigned char template_rust_build_rs[];
extern const unsigned char template_rust_main_rs[];
extern const unsigned char template_rust_README_md[];
extern const unsigned char template_javascript_package_json[];
extern const unsigned char template_javascript_bot_js[];
extern const unsigned char template_javascript_README_md[];

#endif
