package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp" //nolint:staticcheck // Registries accept the key types of this package only.
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/apparentlymart/go-versions/versions"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/lockfile"
)

// location is a registry's answer about one package.
type location struct {
	Filename, Shasum    string
	DownloadURL         string `json:"download_url"`
	ShasumsURL          string `json:"shasums_url"`
	ShasumsSignatureURL string `json:"shasums_signature_url"`
	SigningKeys         struct {
		GPGPublicKeys []struct {
			KeyID      string `json:"key_id"`
			ASCIIArmor string `json:"ascii_armor"`
		} `json:"gpg_public_keys"`
	} `json:"signing_keys"`
}

// keylessHost is the registry that has packages of makers who publish no keys.
const keylessHost = "registry.opentofu.org"

// fetch downloads a package from a registry and checks that it is the one that
// its maker signed.
func (r *registry) fetch(ctx context.Context, host string, at *url.URL, temp string) (download, error) {
	var l location
	if err := r.json(ctx, at, host, &l); err != nil {
		return download{}, err
	}
	sums, trust, err := r.checksums(ctx, host, at, l)
	if err != nil {
		return download{}, err
	}
	archive, sum, err := r.archive(ctx, at, l.DownloadURL, temp)
	if err != nil {
		return download{}, err
	}
	if want, listed := sums[l.Filename]; sum != l.Shasum || listed && sum != want || len(sums) > 0 && !listed {
		return download{}, fmt.Errorf("the archive downloaded from %s does not have the checksum that the registry and the maker's list give for it", host)
	}
	d := download{archive: archive, trust: trust}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if strings.HasSuffix(name, ".zip") {
			d.hashes = append(d.hashes, lockfile.ArchiveScheme+sums[name])
		}
	}
	if len(d.hashes) == 0 {
		d.hashes = []string{lockfile.ArchiveScheme + sum}
	}
	return d, nil
}

// checksums fetches the list of checksums and checks its signature.
func (r *registry) checksums(ctx context.Context, host string, at *url.URL, l location) (map[string]string, string, error) {
	if l.ShasumsURL == "" {
		return nil, "", fmt.Errorf("the registry %s does not say where the list of checksums is", host)
	}
	list, err := r.relative(ctx, at, l.ShasumsURL)
	if err != nil {
		return nil, "", fmt.Errorf("the list of checksums cannot be fetched: %w", err)
	}
	sums := parseSums(list)
	if len(l.SigningKeys.GPGPublicKeys) == 0 {
		if host == keylessHost && !r.network.AlwaysSigned {
			return sums, "signing skipped", nil
		}
		return nil, "", fmt.Errorf("the registry %s publishes no key for this provider, so there is no telling who made the package", host)
	}
	signature, err := r.relative(ctx, at, l.ShasumsSignatureURL)
	if err != nil {
		return nil, "", fmt.Errorf("the signature of the checksums cannot be fetched: %w", err)
	}
	for _, k := range l.SigningKeys.GPGPublicKeys {
		ring, err := openpgp.ReadArmoredKeyRing(strings.NewReader(k.ASCIIArmor))
		if err != nil {
			continue
		}
		by, err := openpgp.CheckDetachedSignature(ring, bytes.NewReader(list), bytes.NewReader(signature), nil)
		switch {
		case by == nil:
		case err == nil, expired(err) && !r.network.FreshKeys:
			return sums, "signed, key ID " + by.PrimaryKey.KeyIdString(), nil
		case expired(err):
			return nil, "", errors.New("the list of checksums is signed with a key that has expired, which OPENTOFU_ENFORCE_GPG_EXPIRATION forbids")
		}
	}
	return nil, "", errors.New("the list of checksums is not signed by any of the keys that the registry has for this provider")
}

// expired says of what is wrong with a signature that it is only its age.
func expired(err error) bool {
	return errors.Is(err, pgperrors.ErrKeyExpired) || errors.Is(err, pgperrors.ErrSignatureExpired)
}

// parseSums reads lines of a checksum and a file name.
func parseSums(list []byte) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(string(list)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		if name = strings.TrimPrefix(strings.TrimSpace(name), "*"); ok && len(sum) == 2*sha256.Size {
			out[name] = strings.ToLower(sum)
		}
	}
	return out
}

func (r *registry) relative(ctx context.Context, base *url.URL, ref string) ([]byte, error) {
	at, err := base.Parse(ref)
	if err != nil {
		return nil, err
	}
	return r.bytes(ctx, at, sameHost(base, at))
}

// sameHost is whose credentials go along with a request: those of a host are for
// that host alone.
func sameHost(base, at *url.URL) string {
	if at.Host != base.Host {
		return ""
	}
	return base.Hostname()
}

// archive downloads a package and gives its checksum.
func (r *registry) archive(ctx context.Context, base *url.URL, ref, temp string) (name, sum string, err error) {
	at, err := base.Parse(ref)
	if err != nil {
		return "", "", err
	}
	return r.save(ctx, at, sameHost(base, at), temp)
}

// save downloads a file and gives its checksum.
func (r *registry) save(ctx context.Context, at *url.URL, host, temp string) (name, sum string, err error) {
	res, err := r.open(ctx, at, host)
	if err != nil {
		return "", "", fmt.Errorf("the archive cannot be downloaded: %w", err)
	}
	defer res.Body.Close()
	name = filepath.Join(temp, "package.zip")
	f, err := os.Create(name)
	if err != nil {
		return "", "", err
	}
	h := sha256.New()
	err = copyAtMost(io.MultiWriter(f, h), res.Body, maxArchive)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", "", fmt.Errorf("the archive cannot be downloaded: %w", err)
	}
	return name, hex.EncodeToString(h.Sum(nil)), nil
}

// mirrored are the versions of p in a network mirror.
func (r *registry) mirrored(ctx context.Context, mirror string, p addr.Provider, platform string) (map[versions.Version]found, error) {
	base, err := url.Parse(mirror)
	if err != nil || base.Scheme != "https" && base.Hostname() != "127.0.0.1" {
		return nil, fmt.Errorf("the network mirror %q is not at an https URL", mirror)
	}
	at := base.JoinPath(p.Host, p.Namespace, p.Type)
	var index struct{ Versions map[string]struct{} }
	switch err := r.json(ctx, at.JoinPath("index.json"), base.Hostname(), &index); {
	case errors.Is(err, errNotFound):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the network mirror %s cannot be asked: %w", mirror, err)
	}
	out := map[versions.Version]found{}
	for text := range index.Versions {
		if v, err := versions.ParseVersion(text); err == nil {
			out[v] = found{remote: func(ctx context.Context, temp string) (download, error) {
				return r.fromMirror(ctx, at.JoinPath(text+".json"), platform, temp)
			}}
		}
	}
	return out, nil
}

func (r *registry) fromMirror(ctx context.Context, at *url.URL, platform, temp string) (download, error) {
	var answer struct {
		Archives map[string]struct {
			URL    string
			Hashes []string
		}
	}
	if err := r.json(ctx, at, at.Hostname(), &answer); err != nil {
		return download{}, err
	}
	a, ok := answer.Archives[platform]
	if !ok {
		return download{}, fmt.Errorf("the network mirror has no package for %s", platform)
	}
	archive, sum, err := r.archive(ctx, at, a.URL, temp)
	if err != nil {
		return download{}, err
	}
	d := download{archive: archive, trust: "unauthenticated"}
	if slices.Contains(a.Hashes, lockfile.ArchiveScheme+sum) {
		d.trust, d.hashes = "verified checksum", []string{lockfile.ArchiveScheme + sum}
		return d, nil
	}
	for _, h := range a.Hashes {
		if strings.HasPrefix(h, lockfile.UnpackedScheme) {
			d.trust, d.expect = "verified checksum", append(d.expect, h)
		}
	}
	if len(a.Hashes) > 0 && len(d.expect) == 0 {
		return download{}, errors.New("the archive has none of the checksums that the network mirror gives for it")
	}
	return d, nil
}
