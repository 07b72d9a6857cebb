package funcs

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	"golang.org/x/crypto/bcrypt"
)

// impure are the functions of time and chance.
func (o Options) impure() map[string]function.Function {
	out := map[string]function.Function{
		"bcrypt":    bcryptFunc,
		"timestamp": o.timestamp(),
		"uuid":      o.uuid(),
	}
	if o.Pure {
		for name, f := range out {
			out[name] = function.Unpredictable(f)
		}
	}
	out["plantimestamp"] = o.planTimestamp()
	out["timecmp"] = timeCmp
	return out
}

// made makes a function without arguments.
func made(make func() (cty.Value, error)) function.Function {
	return function.New(&function.Spec{
		Type:         function.StaticReturnType(cty.String),
		RefineResult: notNull,
		Impl:         func([]cty.Value, cty.Type) (cty.Value, error) { return make() },
	})
}

func (o Options) timestamp() function.Function {
	return made(func() (cty.Value, error) {
		if o.Clock == nil {
			return cty.UnknownVal(cty.String), nil
		}
		return cty.StringVal(o.Clock().UTC().Format(time.RFC3339)), nil
	})
}

func (o Options) planTimestamp() function.Function {
	return made(func() (cty.Value, error) {
		if o.PlanTimestamp.IsZero() {
			return cty.UnknownVal(cty.String), nil
		}
		return cty.StringVal(o.PlanTimestamp.UTC().Format(time.RFC3339)), nil
	})
}

func (o Options) uuid() function.Function {
	return made(func() (cty.Value, error) {
		if o.Random == nil {
			return cty.UnknownVal(cty.String), nil
		}
		id, err := uuid.NewRandomFromReader(o.Random)
		if err != nil {
			return cty.UnknownVal(cty.String), err
		}
		return cty.StringVal(id.String()), nil
	})
}

// bcryptFunc takes its salt from the library's own source of randomness, which
// cannot be replaced.
var bcryptFunc = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "str", Type: cty.String}},
	VarParam:     &function.Parameter{Name: "cost", Type: cty.Number},
	Type:         function.StaticReturnType(cty.String),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		cost := 10
		if len(args) > 2 {
			return cty.UnknownVal(cty.String), errors.New("bcrypt() takes no more than two arguments")
		}
		if len(args) == 2 {
			n, acc := args[1].AsBigFloat().Int64()
			if acc != 0 || n > math.MaxInt32 || n < math.MinInt32 {
				return cty.UnknownVal(cty.String), function.NewArgErrorf(1, "value must be a whole number")
			}
			cost = int(n)
		}
		out, err := bcrypt.GenerateFromPassword([]byte(args[0].AsString()), cost)
		if err != nil {
			return cty.UnknownVal(cty.String), fmt.Errorf("error occurred generating password %s", err)
		}
		return cty.StringVal(string(out)), nil
	},
})

var timeCmp = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "timestamp_a", Type: cty.String, AllowMarked: true},
		{Name: "timestamp_b", Type: cty.String, AllowMarked: true},
	},
	Type:         function.StaticReturnType(cty.Number),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		a, skinA := value.Peel(args[0])
		b, skinB := value.Peel(args[1])
		ta, err := moment(a, 0, skinA)
		if err != nil {
			return cty.UnknownVal(cty.Number), err
		}
		tb, err := moment(b, 1, skinB)
		if err != nil {
			return cty.UnknownVal(cty.Number), err
		}
		return skinA.Plus(skinB).On(cty.NumberIntVal(int64(ta.Compare(tb)))), nil
	},
})

// moment parses a timestamp. The library's date function is asked first for
// its better error messages.
func moment(v cty.Value, arg int, skin value.Skin) (time.Time, error) {
	_, err := stdlib.FormatDate(cty.StringVal("YYYY"), v)
	var t time.Time
	if err == nil {
		t, err = time.Parse(time.RFC3339, v.AsString())
	}
	if err != nil && !skin.Empty() {
		err = errors.New("not a valid RFC3339 timestamp")
	}
	if err != nil {
		return t, function.NewArgErrorf(arg, "%s", err)
	}
	return t, nil
}
