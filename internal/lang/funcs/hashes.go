package funcs

import (
	"crypto/md5"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"github.com/google/uuid"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"golang.org/x/crypto/ssh"
)

// digest is one way of hashing and of writing the hash.
type digest func([]byte) string

var digests = map[string]digest{
	"md5":          func(b []byte) string { h := md5.Sum(b); return hex.EncodeToString(h[:]) },
	"sha1":         func(b []byte) string { h := sha1.Sum(b); return hex.EncodeToString(h[:]) },
	"sha256":       func(b []byte) string { h := sha256.Sum256(b); return hex.EncodeToString(h[:]) },
	"sha512":       func(b []byte) string { h := sha512.Sum512(b); return hex.EncodeToString(h[:]) },
	"base64sha256": func(b []byte) string { h := sha256.Sum256(b); return base64.StdEncoding.EncodeToString(h[:]) },
	"base64sha512": func(b []byte) string { h := sha512.Sum512(b); return base64.StdEncoding.EncodeToString(h[:]) },
}

var hashes = hashFunctions()

func hashFunctions() map[string]function.Function {
	out := map[string]function.Function{"rsadecrypt": rsaDecrypt, "uuidv5": uuidV5}
	for name, d := range digests {
		out[name] = pure("str", func(s string) string { return d([]byte(s)) })
	}
	return out
}

// namespaces are the ones with a name of their own.
var namespaces = map[string]uuid.UUID{
	"dns":  uuid.NameSpaceDNS,
	"url":  uuid.NameSpaceURL,
	"oid":  uuid.NameSpaceOID,
	"x500": uuid.NameSpaceX500,
}

var uuidV5 = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "namespace", Type: cty.String}, {Name: "name", Type: cty.String}},
	Type:         function.StaticReturnType(cty.String),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		space, known := namespaces[args[0].AsString()]
		if !known {
			var err error
			if space, err = uuid.Parse(args[0].AsString()); err != nil {
				return cty.UnknownVal(cty.String), fmt.Errorf("uuidv5() doesn't support namespace %s (%v)", args[0].AsString(), err)
			}
		}
		return cty.StringVal(uuid.NewSHA1(space, []byte(args[1].AsString())).String()), nil
	},
})

var rsaDecrypt = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "ciphertext", Type: cty.String, AllowMarked: true},
		{Name: "privatekey", Type: cty.String, AllowMarked: true},
	},
	Type:         function.StaticReturnType(cty.String),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		text, textSkin := value.Peel(args[0])
		key, keySkin := value.Peel(args[1])
		raw, err := base64.StdEncoding.DecodeString(text.AsString())
		if err != nil {
			return cty.UnknownVal(cty.String), function.NewArgErrorf(0, "failed to decode input %s: cipher text must be base64-encoded", shown(args[0]))
		}
		private, err := rsaKey(key.AsString())
		if err != nil {
			return cty.UnknownVal(cty.String), err
		}
		//lint:ignore SA1019 rsadecrypt is defined by this padding: cloud providers encrypt passwords with it
		out, err := rsa.DecryptPKCS1v15(nil, private, raw)
		if err != nil {
			return cty.UnknownVal(cty.String), fmt.Errorf("failed to decrypt: %s", err)
		}
		return textSkin.Plus(keySkin).On(cty.StringVal(string(out))), nil
	},
})

func rsaKey(pem string) (*rsa.PrivateKey, error) {
	raw, err := ssh.ParseRawPrivateKey([]byte(pem))
	if err != nil {
		return nil, function.NewArgErrorf(1, "not an unencrypted private key in PEM form: %s", err)
	}
	key, ok := raw.(*rsa.PrivateKey)
	if !ok {
		return nil, function.NewArgErrorf(1, "invalid private key type %T: an RSA key is needed", raw)
	}
	return key, nil
}
