# A small platform that lives in the directory out/: an authority, and for each
# service a key, a certificate, a password and a configuration file. It needs no
# account and no network, and yet it is made of real resources: change a file in
# out/, plan again, and see what the plan says.

locals {
  slug = provider::std::slug(var.project)
  name = "${local.slug}-${std_random_pet.release.id}"
  out  = "${path.root}/out"

  ports = { for name, service in var.services : name => service.port }

  total_replicas = sum([for s in var.services : s.replicas])
}

# ------------------------------------------------------------- names and time

resource "std_random_pet" "release" {
  keepers = {
    project = var.project
  }
}

resource "std_random_id" "cluster" {
  byte_length = 4
  prefix      = "${local.slug}-"
}

resource "time_static" "founded" {}

resource "time_rotating" "authority" {
  rfc3339       = time_static.founded.rfc3339
  rotation_days = 365
}

resource "time_offset" "review" {
  base_rfc3339  = time_static.founded.rfc3339
  offset_months = 6
}

# --------------------------------------------------------------- the authority

resource "std_tls_key" "authority" {
  algorithm   = "ECDSA"
  ecdsa_curve = "P384"

  lifecycle {
    # A new key every year; what it signed is replaced with it.
    replace_triggered_by = [time_rotating.authority]
  }
}

resource "std_tls_cert" "authority" {
  private_key_pem       = std_tls_key.authority.private_key_pem
  is_ca                 = true
  validity_period_hours = 24 * 365 * 2
  early_renewal_hours   = 24 * 90

  subject = {
    common_name  = "${var.project} authority"
    organization = var.project
  }
}

resource "std_file" "authority" {
  path    = "${local.out}/authority.pem"
  content = std_tls_cert.authority.cert_pem
}

# ---------------------------------------------------------------- the services

module "service" {
  source   = "./modules/service"
  for_each = var.services

  name    = each.key
  domain  = var.domain
  service = each.value
  out     = "${local.out}/${each.key}"

  authority = {
    cert_pem        = std_tls_cert.authority.cert_pem
    private_key_pem = std_tls_key.authority.private_key_pem
  }
}

# ------------------------------------------------------------------- a release

resource "std_random_password" "operator" {
  count       = nonsensitive(var.operator_token == null) ? 1 : 0
  length      = 24
  special     = false
  min_numeric = 4
}

resource "terraform_data" "release" {
  # Replaced when the set of services changes, updated when only ports do.
  triggers_replace = sort(keys(var.services))

  input = {
    name  = local.name
    ports = local.ports
  }
}

resource "std_file" "inventory" {
  path            = "${local.out}/inventory.json"
  file_permission = "0644"

  content = jsonencode({
    release  = terraform_data.release.output
    cluster  = std_random_id.cluster.hex
    founded  = time_static.founded.rfc3339
    review   = time_offset.review.rfc3339
    replicas = local.total_replicas
    services = { for name, service in module.service : name => service.summary }
  })
}

# What was written is what is read: this waits for the file.
data "std_file" "inventory" {
  path       = std_file.inventory.path
  depends_on = [std_file.inventory]
}

data "std_command" "machine" {
  program = ["uname", "-sm"]
}

check "certificates_last" {
  assert {
    condition     = alltrue([for s in module.service : !s.due])
    error_message = "A certificate is due for renewal; the next apply replaces it."
  }
}
