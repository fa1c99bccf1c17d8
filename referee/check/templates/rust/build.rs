//! Makes Rust of the schema; protoc must be installed.
fn main() {
    prost_build::compile_protos(&["bgref.proto"], &["."]).expect("protoc makes bgref.v1.rs");
}
