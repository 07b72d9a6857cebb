package contract

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// Call is one call to a provider about an object of a type, as far as the engine
// owes something by it. Values that a call has no use for stay cty.NilVal.
type Call struct {
	// Op is the method's name in protocol 6.
	Op   string
	Type string
	// Schema is that of the type; nil in calls without values.
	Schema *schema.Block
	// Prior, Config, Proposed and Planned are what was sent, Answer what came
	// back.
	Prior, Config, Proposed, Planned, Answer cty.Value
	// Sent and Given are the provider's private data, as it was sent and as it
	// came back. What an upgrade is sent is the stored object.
	Sent, Given []byte
	// Offers says that the call allowed the provider to put its answer off.
	Offers bool
	// Failed says that there is no answer to go on with: errors, or a deferral.
	Failed bool
}

// Names of calls that duties are about.
const (
	callConfigure = "ConfigureProvider"
	callValidate  = "ValidateResourceConfig"
	callUpgrade   = "UpgradeResourceState"
	callMove      = "MoveResourceState"
	callImport    = "ImportResourceState"
	callRead      = "ReadResource"
	callPlan      = "PlanResourceChange"
	callApply     = "ApplyResourceChange"
	callOpen      = "OpenEphemeralResource"
	callClose     = "CloseEphemeralResource"
)

// Conversation is what was said to one instance of a provider during a plan or
// during an apply, in order.
type Conversation struct {
	Applying bool
	// Stored are the objects of the state before, as they are encoded.
	Stored [][]byte
	Calls  []Call
}

// Duty is one row of what the engine owes to providers.
type Duty struct {
	Code diag.Code
	ID   string
	// Meaning is the promise, as a sentence.
	Meaning string

	// kept says whether call i of c keeps the promise.
	kept func(c Conversation, i int) bool
}

// Breach is a call that does not keep a duty.
type Breach struct {
	Duty *Duty
	Call int
	What string
}

// String is a line for tests.
func (b Breach) String() string { return fmt.Sprintf("%s: call %d, %s", b.Duty.ID, b.Call, b.What) }

// Owed holds a conversation against the duties of the engine.
func Owed(c Conversation) []Breach {
	var out []Breach
	for i, call := range c.Calls {
		for d := range duties {
			if duties[d].kept(c, i) {
				continue
			}
			out = append(out, Breach{&duties[d], i, call.Op + " of " + call.Type})
			if duties[d].Code == conforming {
				break // the others look into the values
			}
		}
	}
	return out
}

// conforming is the code of the duty that the others rely on.
const conforming diag.Code = "PE001"

// Duties are all rows of what the engine owes to providers.
func Duties() []Duty { return duties }

var duties = []Duty{
	{conforming, "engine/conforming", "Every value that is sent has the type of its schema.", func(c Conversation, i int) bool {
		return c.Calls[i].each(func(v cty.Value) bool {
			return fits(v, c.Calls[i].Schema)
		})
	}},
	{"PE002", "engine/configured-first", "A provider is configured before anything is asked of it that may reach outside.", func(c Conversation, i int) bool {
		return !c.Calls[i].reaches() || c.before(i, func(p Call) bool { return p.Op == callConfigure && !p.Failed })
	}},
	{"PE003", "engine/prior-known", "A prior object is wholly known: it describes what exists.", func(c Conversation, i int) bool {
		return absent(c.Calls[i].Prior) || c.Calls[i].Prior.IsWhollyKnown()
	}},
	{"PE004", "engine/write-only-once", "The value of a write-only argument is sent with the configuration, never as part of a prior or planned object.", func(c Conversation, i int) bool {
		call := c.Calls[i]
		return call.without(call.Prior) && call.without(call.Planned)
	}},
	{"PE005", "engine/upgraded-first", "An object is upgraded, moved or imported in this run before it is read.", func(c Conversation, i int) bool {
		return c.Calls[i].Op != callRead || c.before(i, func(p Call) bool {
			return (p.Op == callUpgrade || p.Op == callMove || p.Op == callImport) && same(p.Answer, c.Calls[i].Prior)
		})
	}},
	{"PE006", "engine/import-read", "What an import gives is read before anything else is made of it.", func(c Conversation, i int) bool {
		return c.Calls[i].Op != callImport || c.Calls[i].Failed || absent(c.Calls[i].Answer) || c.after(i, func(n Call) bool {
			return n.Op == callRead && same(n.Prior, c.Calls[i].Answer)
		})
	}},
	{"PE007", "engine/prior-found", "A plan starts from the object as the provider described it last in this run.", func(c Conversation, i int) bool {
		call := c.Calls[i]
		return call.Op != callPlan || c.Applying || absent(call.Prior) || c.before(i, func(p Call) bool {
			return p.describes() && same(p.described(), call.Prior)
		})
	}},
	{"PE008", "engine/private-kept", "Private data comes back to the provider with the object that it was given with.", func(c Conversation, i int) bool {
		call := c.Calls[i]
		if call.Op != callPlan || c.Applying || absent(call.Prior) {
			return true
		}
		read := func(p Call) bool { return p.Op == callRead && !p.Failed && same(p.described(), call.Prior) }
		return !c.before(i, read) || c.before(i, func(p Call) bool { return read(p) && bytes.Equal(p.Given, call.Sent) })
	}},
	{"PE009", "engine/validated-first", "A configuration is validated, as far as it is known, before it is planned: while planning, and again in the apply.", func(c Conversation, i int) bool {
		call := c.Calls[i]
		return call.Op != callPlan || absent(call.Config) || c.before(i, func(p Call) bool {
			// ignore_changes puts prior values in place of configured ones.
			return p.Op == callValidate && p.Type == call.Type && !p.Failed && (same(p.Config, call.Config) || !absent(call.Prior))
		})
	}},
	{"PE010", "engine/proposed", "The proposed new state is the configuration, with the prior value of what it leaves to the provider; null where the object is to go.", func(c Conversation, i int) bool {
		call := c.Calls[i]
		switch {
		case call.Op != callPlan:
			return true
		case absent(call.Config):
			return absent(call.Proposed)
		}
		return same(call.Proposed, ProposedNew(call.Schema, call.Prior, call.Config))
	}},
	{"PE011", "engine/final-known", "In an apply every configuration is wholly known.", func(c Conversation, i int) bool {
		call := c.Calls[i]
		return !c.Applying || call.Op != callPlan && call.Op != callApply && call.Op != callValidate || absent(call.Config) || call.Config.IsWhollyKnown()
	}},
	{"PE012", "engine/planned-twice", "What is applied is the answer of a second plan, made in the apply from the same object and configuration, with its private data.", func(c Conversation, i int) bool {
		call := c.Calls[i]
		return call.Op != callApply || absent(call.Planned) || c.before(i, func(p Call) bool {
			return p.Op == callPlan && !p.Failed && same(p.Prior, call.Prior) && same(p.Config, call.Config) &&
				same(p.Answer, call.Planned) && bytes.Equal(p.Given, call.Sent)
		})
	}},
	{"PE013", "engine/applied-in-apply", "Nothing is changed while planning.", func(c Conversation, i int) bool {
		return c.Applying || c.Calls[i].Op != callApply
	}},
	{"PE014", "engine/deletion", "A deletion is sent with the object that is to go, and without a configuration.", func(c Conversation, i int) bool {
		call := c.Calls[i]
		return call.Op != callApply || !absent(call.Planned) || !absent(call.Prior) && absent(call.Config)
	}},
	{"PE015", "engine/no-late-offer", "In an apply no provider is offered to put its answer off.", func(c Conversation, i int) bool {
		return !c.Applying || !c.Calls[i].Offers
	}},
	{"PE016", "engine/closed", "An ephemeral object that was opened is closed, once, with its private data.", func(c Conversation, i int) bool {
		call := c.Calls[i]
		is := func(op string) func(Call) bool {
			return func(o Call) bool {
				return o.Op == op && o.Type == call.Type && (op == callClose && bytes.Equal(o.Sent, call.Given) || op == callOpen && !o.Failed && bytes.Equal(o.Given, call.Given))
			}
		}
		return call.Op != callOpen || call.Failed || c.count(is(callClose)) == c.count(is(callOpen))
	}},
	{"PE017", "engine/verbatim", "What the last run stored is upgraded word for word; only where the provider stumbles over it again without what its schema does not allow.", func(c Conversation, i int) bool {
		call := c.Calls[i]
		return call.Op != callUpgrade || slices.ContainsFunc(c.Stored, func(o []byte) bool { return bytes.Equal(o, call.Sent) }) ||
			c.before(i, func(p Call) bool { return p.Op == callUpgrade && p.Type == call.Type })
	}},
	{"PE018", "engine/configured-only", "A configuration has what the author has written and nothing else: what only the provider decides is null there.", func(c Conversation, i int) bool {
		call := c.Calls[i]
		return call.Schema == nil || absent(call.Config) || !decided(call.Schema, call.Config)
	}},
}

// reaches says whether a call may have to do with anything outside.
func (c Call) reaches() bool {
	switch c.Op {
	case callRead, callPlan, callApply, callImport, callOpen, callClose:
		return true
	}
	return false
}

// describes says whether the answer of a call is an object that exists.
func (c Call) describes() bool {
	switch c.Op {
	case callRead, callUpgrade, callMove, callImport:
		return !c.Failed && !absent(c.Answer)
	}
	return false
}

// described is the object that a call describes, with empty blocks for null ones
// that were read.
func (c Call) described() cty.Value {
	if c.Op == callRead && !absent(c.Answer) && fits(c.Answer, c.Schema) {
		return c.Schema.WithBlocks(c.Answer)
	}
	return c.Answer
}

func fits(v cty.Value, s *schema.Block) bool { return len(v.Type().TestConformance(s.Type())) == 0 }

// each says whether all values that were sent are as ok wants them.
func (c Call) each(ok func(cty.Value) bool) bool {
	for _, v := range []cty.Value{c.Prior, c.Config, c.Proposed, c.Planned} {
		if !absent(v) && c.Schema != nil && !ok(v) {
			return false
		}
	}
	return true
}

// without says whether v has no write-only values.
func (c Call) without(v cty.Value) bool {
	if c.Schema == nil || absent(v) {
		return true
	}
	_, leaked := c.Schema.WithoutWriteOnly(v)
	return !leaked
}

// decided says whether v has anything that only the provider decides.
func decided(s *schema.Block, v cty.Value) bool {
	own := func(a *schema.Attribute) bool { return a.Computed && !a.Optional }
	return slices.ContainsFunc(s.PathsWhere(v, own), func(p cty.Path) bool {
		at, err := p.Apply(v)
		return err == nil && !absent(at)
	})
}

func (c Conversation) before(i int, is func(Call) bool) bool {
	return (Conversation{Calls: c.Calls[:i]}).count(is) > 0
}

func (c Conversation) after(i int, is func(Call) bool) bool {
	return (Conversation{Calls: c.Calls[i+1:]}).count(is) > 0
}

func (c Conversation) count(is func(Call) bool) int {
	n := 0
	for _, call := range c.Calls {
		if is(call) {
			n++
		}
	}
	return n
}
