output "release" {
  description = "Name of this release, drawn once."
  value       = local.name
}

output "endpoints" {
  description = "Where each service would answer."
  value       = { for name, service in module.service : name => service.url }
}

output "expiry" {
  description = "When each certificate runs out."
  value       = { for name, service in module.service : name => service.expires }
}

output "inventory" {
  description = "The inventory, as it is on disk."
  value       = jsondecode(data.std_file.inventory.content)
}

output "review_year" {
  description = "A function of a downloaded provider at work."
  value       = provider::time::rfc3339_parse(time_offset.review.rfc3339).year
}

output "machine" {
  value = trimspace(data.std_command.machine.stdout)
}

output "operator_token" {
  description = "Shown only when asked for by name."
  value       = coalesce(var.operator_token, one(std_random_password.operator[*].result))
  sensitive   = true
}
