# What OpenTofu 1.12 encrypted the files of this directory with: main.tfstate with
# the method main, chained.tfstate with chained, plan.tfplan with main.
variable "passphrase" {
  default = "a passphrase for tests only"
}
terraform {
  encryption {
    key_provider "pbkdf2" "main" {
      passphrase = var.passphrase
      iterations = 200000
    }
    key_provider "pbkdf2" "chained" {
      chain                    = key_provider.pbkdf2.main
      iterations               = 200000
      hash_function            = "sha256"
      key_length               = 24
      salt_length              = 16
      encrypted_metadata_alias = "alias"
    }
    method "aes_gcm" "main" {
      keys = key_provider.pbkdf2.main
    }
    method "aes_gcm" "chained" {
      keys = key_provider.pbkdf2.chained
      aad  = [1, 2, 255]
    }
    state {
      method = method.aes_gcm.main
      fallback {
        method = method.aes_gcm.chained
      }
    }
    plan {
      method = method.aes_gcm.main
    }
  }
}
resource "terraform_data" "a" {
  input = "a value"
}
