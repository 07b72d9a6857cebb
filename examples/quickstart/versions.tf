terraform {
  required_providers {
    # Built in: nothing to download, nothing to configure.
    std = {
      source = "terraform.io/builtin/std"
    }

    # A provider like any other, from a filesystem mirror (see plumbrc.tmpl).
    time = {
      source  = "hashicorp/time"
      version = "~> 0.14"
    }
  }
}
