// Command protogen compiles .proto files to Go beside them, without protoc.
//
//	go run ./protogen DIRECTORY FILE.proto...
//
// Files are named relative to DIRECTORY, which becomes the root of their import
// paths. Only messages are generated: package wire calls methods by name.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: protogen DIRECTORY FILE.proto...")
		os.Exit(2)
	}
	for _, file := range os.Args[2:] {
		if err := generate(os.Args[1], file); err != nil {
			fmt.Fprintln(os.Stderr, "protogen:", err)
			os.Exit(1)
		}
	}
}

func generate(root, file string) error {
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{root}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	compiled, err := compiler.Compile(context.Background(), file)
	if err != nil {
		return err
	}
	req := &pluginpb.CodeGeneratorRequest{FileToGenerate: []string{file}, Parameter: new(string)}
	*req.Parameter = "paths=source_relative"
	req.ProtoFile = withImports(compiled[0], map[string]bool{})

	plugin, err := protogen.Options{}.New(req)
	if err != nil {
		return err
	}
	plugin.SupportedFeatures = internal_gengo.SupportedFeatures
	internal_gengo.GenerateFile(plugin, plugin.FilesByPath[file])
	resp := plugin.Response()
	if resp.Error != nil {
		return fmt.Errorf("%s: %s", file, *resp.Error)
	}
	for _, f := range resp.File {
		if err := os.WriteFile(filepath.Join(root, f.GetName()), []byte(f.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// withImports lists a file behind everything it imports.
func withImports(file protoreflect.FileDescriptor, seen map[string]bool) []*descriptorpb.FileDescriptorProto {
	if seen[file.Path()] {
		return nil
	}
	seen[file.Path()] = true
	var out []*descriptorpb.FileDescriptorProto
	for i := range file.Imports().Len() {
		out = append(out, withImports(file.Imports().Get(i).FileDescriptor, seen)...)
	}
	return append(out, protodesc.ToFileDescriptorProto(file))
}
