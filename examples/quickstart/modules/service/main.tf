# One service: who it is, how it proves it, and what it is told.

terraform {
  required_providers {
    std = {
      source = "terraform.io/builtin/std"
    }
  }
}

variable "name" {
  type = string
}

variable "domain" {
  type = string
}

variable "out" {
  description = "Directory that the service owns."
  type        = string
}

variable "service" {
  type = object({
    port     = number
    replicas = number
    aliases  = list(string)
    settings = map(string)
    tls = object({
      algorithm = string
      days      = number
      renew     = number
    })
  })

  validation {
    condition     = var.service.port >= 1024 && var.service.port <= 65535
    error_message = "The port must be between 1024 and 65535."
  }
}

variable "authority" {
  type = object({
    cert_pem        = string
    private_key_pem = string
  })
  sensitive = true
}

locals {
  host  = "${var.name}.${var.domain}"
  hosts = concat([local.host], [for alias in var.service.aliases : "${alias}.${var.domain}"])

  settings = merge({ log_level = "info", port = tostring(var.service.port) }, var.service.settings)
}

resource "std_random_uuid" "replica" {
  count = var.service.replicas
}

resource "std_random_password" "database" {
  length           = 20
  override_special = "-_.~"
  min_special      = 2
}

resource "std_tls_key" "this" {
  algorithm = var.service.tls.algorithm
}

resource "std_tls_cert" "this" {
  private_key_pem       = std_tls_key.this.private_key_pem
  ca_cert_pem           = nonsensitive(var.authority.cert_pem)
  ca_private_key_pem    = var.authority.private_key_pem
  dns_names             = local.hosts
  ip_addresses          = ["127.0.0.1"]
  validity_period_hours = 24 * var.service.tls.days
  early_renewal_hours   = 24 * var.service.tls.renew

  subject = {
    common_name = local.host
  }

  lifecycle {
    create_before_destroy = true

    postcondition {
      condition     = contains(provider::std::cert_info(self.cert_pem).dns_names, local.host)
      error_message = "The certificate does not name ${local.host}."
    }
  }
}

resource "std_file" "key" {
  path              = "${var.out}/key.pem"
  sensitive_content = std_tls_key.this.private_key_pem
}

resource "std_file" "chain" {
  path    = "${var.out}/chain.pem"
  content = join("", [std_tls_cert.this.cert_pem, nonsensitive(var.authority.cert_pem)])
}

resource "std_file" "settings" {
  path = "${var.out}/settings.ini"

  content = <<-EOT
    [${var.name}]
    ${join("\n", [for key, value in local.settings : "${key} = ${value}"])}
    replicas = ${join(", ", std_random_uuid.replica[*].result)}
  EOT
}

# An object that exists only by commands: a line in the service's own registry.
# Edit the line by hand, and the next plan puts it right.
resource "std_command" "registered" {
  create = "printf '%s %s\\n' \"$HOST\" \"$PORT\" > \"$AT\""
  read   = "test -f \"$AT\" && cat \"$AT\""
  update = "printf '%s %s\\n' \"$HOST\" \"$PORT\" > \"$AT\""
  delete = ["rm", "-f", "${var.out}/registered"]

  environment = {
    AT   = "${dirname(std_file.settings.path)}/registered"
    HOST = local.host
    PORT = tostring(var.service.port)
  }
}

output "url" {
  value = "https://${local.host}:${var.service.port}"
}

output "expires" {
  value = std_tls_cert.this.validity_end_time
}

output "due" {
  value = std_tls_cert.this.ready_for_renewal
}

output "summary" {
  value = {
    url      = "https://${local.host}:${var.service.port}"
    hosts    = local.hosts
    serial   = std_tls_cert.this.serial
    settings = std_file.settings.sha256
    replicas = std_random_uuid.replica[*].result
  }
}

output "database_password" {
  value     = std_random_password.database.result
  sensitive = true
}
