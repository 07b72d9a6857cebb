package std

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	"golang.org/x/crypto/ssh"
)

// Algorithms of std_tls_key.
const (
	algorithmRSA     = "RSA"
	algorithmECDSA   = "ECDSA"
	algorithmED25519 = "ED25519"
)

// ecdsaCurves in the spelling of the configuration, weakest first.
var ecdsaCurves = []elliptic.Curve{elliptic.P224(), elliptic.P256(), elliptic.P384(), elliptic.P521()}

// curveName is P256 where the standard says P-256.
func curveName(c elliptic.Curve) string {
	name := c.Params().Name
	return name[:1] + name[2:]
}

func curveNames() []string {
	names := make([]string, len(ecdsaCurves))
	for i, c := range ecdsaCurves {
		names[i] = curveName(c)
	}
	return names
}

func generateKey(algorithm string, bits int, curve string) (crypto.Signer, error) {
	switch algorithm {
	case algorithmRSA:
		return rsa.GenerateKey(rand.Reader, bits)
	case algorithmED25519:
		_, key, err := ed25519.GenerateKey(rand.Reader)
		return key, err
	}
	for _, c := range ecdsaCurves {
		if curveName(c) == curve {
			return ecdsa.GenerateKey(c, rand.Reader)
		}
	}
	return nil, fmt.Errorf("there is no curve named %q", curve)
}

// parseKey reads a private key in any of the usual PEM forms.
func parseKey(text string) (crypto.Signer, error) {
	key, err := ssh.ParseRawPrivateKey([]byte(text))
	if err != nil {
		return nil, errors.New("it is not an unencrypted private key in PEM format (PKCS #1, SEC 1, PKCS #8 or OpenSSH)")
	}
	switch k := key.(type) {
	case *rsa.PrivateKey:
		return k, nil
	case *ecdsa.PrivateKey:
		return k, nil
	case ed25519.PrivateKey:
		return k, nil
	case *ed25519.PrivateKey:
		return *k, nil
	}
	return nil, errors.New("its algorithm is none of RSA, ECDSA and ED25519")
}

// keyAlgorithm names the algorithm of a public key, or is empty.
func keyAlgorithm(public crypto.PublicKey) string {
	switch public.(type) {
	case *rsa.PublicKey:
		return algorithmRSA
	case *ecdsa.PublicKey:
		return algorithmECDSA
	case ed25519.PublicKey:
		return algorithmED25519
	}
	return ""
}

func encodePEM(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// traditionalPEM is the algorithm's own form where there is one (PKCS #1,
// SEC 1), for it is what most programs read.
func traditionalPEM(key crypto.Signer) (string, error) {
	switch k := key.(type) {
	case *rsa.PrivateKey:
		return encodePEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(k)), nil
	case *ecdsa.PrivateKey:
		der, err := x509.MarshalECPrivateKey(k)
		return encodePEM("EC PRIVATE KEY", der), err
	}
	return pkcs8PEM(key)
}

func pkcs8PEM(key crypto.Signer) (string, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	return encodePEM("PRIVATE KEY", der), err
}

// sshKey is a key in the forms of OpenSSH.
type sshKey struct{ private, public, fingerprint string }

// opensshKey reports false for keys OpenSSH does not know, such as P224.
func opensshKey(key crypto.Signer) (sshKey, bool) {
	public, err := ssh.NewPublicKey(key.Public())
	if err != nil {
		return sshKey{}, false
	}
	block, err := ssh.MarshalPrivateKey(key, "")
	if err != nil {
		return sshKey{}, false
	}
	return sshKey{
		private:     string(pem.EncodeToMemory(block)),
		public:      string(ssh.MarshalAuthorizedKey(public)),
		fingerprint: ssh.FingerprintSHA256(public),
	}, true
}

// parseCertificate reads the first certificate of a PEM text.
func parseCertificate(text string) (*x509.Certificate, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, errors.New("it does not begin with a certificate in PEM format")
	}
	return x509.ParseCertificate(block.Bytes)
}
