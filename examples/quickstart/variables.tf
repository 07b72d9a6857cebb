variable "project" {
  description = "Name of the whole; part of every other name."
  type        = string
  default     = "Plumb Line"

  validation {
    condition     = length(provider::std::slug(var.project)) > 0
    error_message = "A project needs a name with at least one letter or digit."
  }
}

variable "domain" {
  description = "Domain below which the services are reachable."
  type        = string
  default     = "plumb.test"

  validation {
    condition     = can(regex("^([a-z0-9-]+\\.)+[a-z]+$", var.domain))
    error_message = "The domain must be lower case labels joined by dots, such as \"plumb.test\"."
  }
}

variable "services" {
  description = "What to run. Everything but the port has a default."

  type = map(object({
    port     = number
    replicas = optional(number, 1)
    aliases  = optional(list(string), [])
    settings = optional(map(string), {})

    tls = optional(object({
      algorithm = optional(string, "ECDSA")
      days      = optional(number, 90)
      renew     = optional(number, 14)
    }), {})
  }))

  default = {
    api = {
      port     = 8443
      replicas = 2
      aliases  = ["www"]
      settings = { log_level = "debug" }
    }

    auth = {
      port = 9443
      tls  = { algorithm = "ED25519", days = 30, renew = 5 }
    }

    metrics = {
      port = 9090
    }
  }

  validation {
    condition     = length(distinct([for s in var.services : s.port])) == length(var.services)
    error_message = "Two services want the same port."
  }

  validation {
    condition     = alltrue([for s in var.services : s.tls.renew < s.tls.days])
    error_message = "A certificate must be renewed before it runs out: renew < days."
  }
}

variable "operator_token" {
  description = "A secret from outside. Without one, a password is drawn."
  type        = string
  default     = null
  sensitive   = true

  validation {
    condition     = var.operator_token == null || length(coalesce(var.operator_token, "-")) >= 16
    error_message = "An operator token has at least 16 characters."
  }
}
