package settings

import (
	"strconv"
	"time"
)

// Network says how registries and mirrors of packages are asked. The block
// registry_protocols of the CLI configuration sets some of it; the environment
// counts before.
type Network struct {
	// Retries are further attempts at a question that failed for a reason of the
	// network's or the server's, DownloadRetries those at a download.
	Retries, DownloadRetries int
	// Timeout bounds one attempt at a question.
	Timeout time.Duration
	// AppendUserAgent is what requests say of their sender besides our name.
	AppendUserAgent string
	// AlwaysSigned refuses packages whose registry publishes no keys, FreshKeys
	// signatures by keys that have expired.
	AlwaysSigned, FreshKeys bool
}

// defaultNetwork holds where nothing is said.
func defaultNetwork() Network {
	return Network{Retries: 1, DownloadRetries: 2, Timeout: 10 * time.Second}
}

// override takes what the environment says: TF_REGISTRY_DISCOVERY_RETRY,
// TF_REGISTRY_CLIENT_TIMEOUT (seconds), TF_PROVIDER_DOWNLOAD_RETRY,
// TF_APPEND_USER_AGENT and OPENTOFU_ENFORCE_GPG_VALIDATION and _EXPIRATION. What is
// no number is passed over, as the incumbents do.
func (n *Network) override(env Environment) {
	if v, err := strconv.Atoi(env.Get("TF_REGISTRY_DISCOVERY_RETRY")); err == nil && v >= 0 {
		n.Retries = v
	}
	if v, err := strconv.Atoi(env.Get("TF_PROVIDER_DOWNLOAD_RETRY")); err == nil && v >= 0 {
		n.DownloadRetries = v
	}
	if v, err := strconv.Atoi(env.Get("TF_REGISTRY_CLIENT_TIMEOUT")); err == nil && v > 0 {
		n.Timeout = time.Duration(v) * time.Second
	}
	n.AppendUserAgent = env.Get("TF_APPEND_USER_AGENT")
	n.AlwaysSigned = env.truth("OPENTOFU_ENFORCE_GPG_VALIDATION", false)
	n.FreshKeys = env.truth("OPENTOFU_ENFORCE_GPG_EXPIRATION", false)
}
