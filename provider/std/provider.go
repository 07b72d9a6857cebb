package std
import (
 _ "github.com/hashicorp/terraform-plugin-framework/providerserver"
 _ "github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
 _ "google.golang.org/grpc/test/bufconn"
 _ "google.golang.org/protobuf/types/dynamicpb"
 _ "golang.org/x/crypto/ssh"
 _ "golang.org/x/crypto/bcrypt"
 _ "github.com/hashicorp/terraform-plugin-framework/types"
)
