package funcs

import (
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/gocty"
)

var networks = map[string]function.Function{
	"cidrcontains": cidrContains,
	"cidrhost":     cidrHost,
	"cidrnetmask":  cidrNetmask,
	"cidrsubnet":   cidrSubnet,
	"cidrsubnets":  cidrSubnets,
}

// network is a prefix as a number: its first address, its length, and the
// length of addresses.
type network struct {
	start      *big.Int
	bits, size int
}

func parseNetwork(s string) (network, error) {
	p, err := netip.ParsePrefix(decimalOctets(s))
	if err != nil {
		return network{}, fmt.Errorf("invalid CIDR expression: invalid CIDR address: %s", s)
	}
	p = p.Masked()
	return network{new(big.Int).SetBytes(p.Addr().AsSlice()), p.Bits(), p.Addr().BitLen()}, nil
}

// decimal drops leading zeros from a number.
func decimal(p string) string {
	if t := strings.TrimLeft(p, "0"); t != "" || p == "" {
		return t
	}
	return "0"
}

// decimalOctets drops leading zeros from the parts of an IPv4 prefix: the
// language has always read them as decimal.
func decimalOctets(s string) string {
	if strings.Contains(s, ":") {
		return s
	}
	addr, rest, slash := strings.Cut(s, "/")
	rest = decimal(rest)
	parts := strings.Split(addr, ".")
	for i, p := range parts {
		parts[i] = decimal(p)
	}
	addr = strings.Join(parts, ".")
	if slash {
		return addr + "/" + rest
	}
	return addr
}

func (n network) addr(num *big.Int) netip.Addr {
	raw := make([]byte, n.size/8)
	num.FillBytes(raw)
	a, _ := netip.AddrFromSlice(raw)
	return a
}

// span is the number of addresses of a prefix with the given length.
func (n network) span(bits int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n.size-bits)) }

// last is the last address of the network.
func (n network) last() *big.Int {
	end := new(big.Int).Add(n.start, n.span(n.bits))
	return end.Sub(end, big.NewInt(1))
}

func (n network) String() string { return fmt.Sprintf("%s/%d", n.addr(n.start), n.bits) }

var cidrHost = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "prefix", Type: cty.String}, {Name: "hostnum", Type: cty.Number}},
	Type:         function.StaticReturnType(cty.String),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		num, err := whole(args[1])
		if err != nil {
			return cty.UnknownVal(cty.String), err
		}
		n, err := parseNetwork(args[0].AsString())
		if err != nil {
			return cty.UnknownVal(cty.String), err
		}
		host, err := n.host(num)
		return host, err
	},
})

// host is the address numbered num; negative numbers count from the end.
func (n network) host(num *big.Int) (cty.Value, error) {
	span := n.span(n.bits)
	at := num
	if num.Sign() < 0 {
		at = new(big.Int).Add(span, num)
	}
	if at.Sign() < 0 || at.Cmp(span) >= 0 {
		return cty.UnknownVal(cty.String), fmt.Errorf("prefix of %d does not accommodate a host numbered %d", n.bits, num)
	}
	return cty.StringVal(n.addr(new(big.Int).Add(n.start, at)).String()), nil
}

var cidrNetmask = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "prefix", Type: cty.String}},
	Type:         function.StaticReturnType(cty.String),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		n, err := parseNetwork(args[0].AsString())
		if err != nil {
			return cty.UnknownVal(cty.String), err
		}
		if n.size != 32 {
			return cty.UnknownVal(cty.String), fmt.Errorf("IPv6 addresses cannot have a netmask: %s", args[0].AsString())
		}
		all := new(big.Int).Sub(n.span(0), n.span(n.bits))
		return cty.StringVal(n.addr(all).String()), nil
	},
})

var cidrSubnet = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "prefix", Type: cty.String},
		{Name: "newbits", Type: cty.Number},
		{Name: "netnum", Type: cty.Number},
	},
	Type:         function.StaticReturnType(cty.String),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		var more int
		if err := gocty.FromCtyValue(args[1], &more); err != nil {
			return cty.UnknownVal(cty.String), err
		}
		num, err := whole(args[2])
		if err != nil {
			return cty.UnknownVal(cty.String), err
		}
		n, err := parseNetwork(args[0].AsString())
		if err != nil {
			return cty.UnknownVal(cty.String), err
		}
		return n.subnet(more, num)
	},
})

func (n network) subnet(more int, num *big.Int) (cty.Value, error) {
	bits := n.bits + more
	if bits > n.size || bits < 0 {
		return cty.UnknownVal(cty.String), fmt.Errorf("insufficient address space to extend prefix of %d by %d", n.bits, more)
	}
	if num.Sign() < 0 || num.BitLen() > max(more, 0) {
		return cty.UnknownVal(cty.String), fmt.Errorf("prefix extension of %d does not accommodate a subnet numbered %d", more, num)
	}
	start := new(big.Int).Mul(num, n.span(bits))
	return cty.StringVal(network{start.Add(start, n.start), bits, n.size}.String()), nil
}

var cidrSubnets = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "prefix", Type: cty.String}},
	VarParam:     &function.Parameter{Name: "newbits", Type: cty.Number},
	Type:         function.StaticReturnType(cty.List(cty.String)),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		n, err := parseNetwork(args[0].AsString())
		if err != nil {
			return cty.UnknownVal(cty.List(cty.String)), function.NewArgErrorf(0, "%s", err)
		}
		if len(args) == 1 {
			return cty.ListValEmpty(cty.String), nil
		}
		return n.subnets(args[1:])
	},
})

// subnets gives consecutive subnets, each at the next place that fits its size.
func (n network) subnets(extensions []cty.Value) (cty.Value, error) {
	next, end := new(big.Int).Set(n.start), n.last()
	var current network
	var out []cty.Value
	for i, ext := range extensions {
		bits, err := n.extended(i+1, ext)
		if err != nil {
			return cty.UnknownVal(cty.List(cty.String)), err
		}
		span := n.span(bits)
		if over := new(big.Int).Mod(next, span); over.Sign() > 0 {
			next.Add(next, new(big.Int).Sub(span, over))
		}
		if next.Cmp(end) > 0 {
			return cty.UnknownVal(cty.List(cty.String)), function.NewArgErrorf(i+1,
				"not enough remaining address space for a subnet with a prefix of %d bits after %s", bits, current)
		}
		current = network{new(big.Int).Set(next), bits, n.size}
		out = append(out, cty.StringVal(current.String()))
		next.Add(next, span)
	}
	return cty.ListVal(out), nil
}

func (n network) extended(arg int, ext cty.Value) (int, error) {
	var more int
	if err := gocty.FromCtyValue(ext, &more); err != nil {
		return 0, function.NewArgError(arg, err)
	}
	family := "IPv4"
	if n.size == 128 {
		family = "IPv6"
	}
	switch {
	case more < 1:
		return 0, function.NewArgErrorf(arg, "must extend prefix by at least one bit")
	case more > 32:
		return 0, function.NewArgErrorf(arg, "may not extend prefix by more than 32 bits")
	case n.bits+more > n.size:
		return 0, function.NewArgErrorf(arg, "would extend prefix to %d bits, which is too long for an %s address", n.bits+more, family)
	}
	return n.bits + more, nil
}

var cidrContains = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "containing_prefix", Type: cty.String}, {Name: "contained_ip_or_prefix", Type: cty.String}},
	Type:         function.StaticReturnType(cty.Bool),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		outer, err := parseNetwork(args[0].AsString())
		if err != nil {
			return cty.UnknownVal(cty.Bool), err
		}
		text := args[1].AsString()
		inner, err := parseNetwork(text)
		if err != nil {
			a, err := netip.ParseAddr(decimalOctets(text))
			if err != nil {
				return cty.UnknownVal(cty.Bool), fmt.Errorf("invalid IP address or prefix: %s", text)
			}
			inner = network{new(big.Int).SetBytes(a.AsSlice()), a.BitLen(), a.BitLen()}
		}
		if outer.size != inner.size {
			return cty.UnknownVal(cty.Bool), fmt.Errorf("address family mismatch: %s vs. %s", args[0].AsString(), text)
		}
		return cty.BoolVal(outer.start.Cmp(inner.start) <= 0 && outer.last().Cmp(inner.last()) >= 0), nil
	},
})

func whole(v cty.Value) (*big.Int, error) {
	n, acc := v.AsBigFloat().Int(nil)
	if n == nil || acc != 0 {
		return nil, errors.New("value must be a whole number")
	}
	return n, nil
}
