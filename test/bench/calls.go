package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/process"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// called is how many objects the provider's calls are measured over, and width
// how many calls are made at a time, as commands do by default.
const (
	called = 2000
	width  = 10
)

// calls prints what plumb costs with a provider that is a program, beside the
// calls that it makes to it and nothing else.
func calls(plumb string) error {
	dir, err := os.MkdirTemp("", "plumb-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "terraform-provider-std")
	build := exec.Command("go", "build", "-o", program, "./cmd/terraform-provider-std")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building the provider: %w\n%s", err, out)
	}
	var ours, bare []cost
	for range fewest { // in turns, so that both meet the same machine
		costs, err := withProvider(plumb, dir)
		if err != nil {
			return err
		}
		ours = best(ours, costs)
		if costs, err = bareCalls(program); err != nil {
			return err
		}
		bare = best(bare, costs)
	}
	fmt.Printf("\n| %d objects of a provider's program (best of %d) | plumb wall | CPU | the calls alone | CPU | ratio of wall | of CPU |\n|---|---|---|---|---|---|---|\n", called, fewest)
	for i, s := range callSteps {
		o, b := ours[i], bare[i]
		fmt.Printf("| %s | %.2f s | %.2f s | %.2f s | %.2f s | ×%.2f | ×%.2f |\n", s.name, o.wall.Seconds(), o.cpu.Seconds(), b.wall.Seconds(), b.cpu.Seconds(),
			o.wall.Seconds()/b.wall.Seconds(), o.cpu.Seconds()/b.cpu.Seconds())
	}
	return nil
}

// callSteps are commands and the calls that each makes for an object.
var callSteps = []struct {
	name string
	args []string
	// rounds run one after another; in each, every object makes its calls.
	rounds [][]call
}{
	{"apply", []string{"apply", "-auto-approve", "-input=false", "-no-color"}, [][]call{{validateOne, planOne}, {validateOne, planOne, applyOne}}},
	{"no-op plan", []string{"plan", "-input=false", "-no-color"}, [][]call{{upgradeOne, readOne, validateOne, planOne}}},
}

// withProvider is what the commands take, together with the provider.
func withProvider(plumb, dir string) ([]cost, error) {
	source := fmt.Sprintf("terraform {\n  required_providers {\n    std = { source = \"example/std\" }\n  }\n}\nresource \"std_random_uuid\" \"a\" {\n  count   = %d\n  keepers = { index = count.index }\n}\n", called)
	rc := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"example/std\" = %q\n  }\n  direct {}\n}\n", dir)
	work := filepath.Join(dir, "work")
	if err := errors.Join(os.RemoveAll(work), put(work, "main.tf", source), put(dir, "rc", rc), os.Setenv("TF_CLI_CONFIG_FILE", filepath.Join(dir, "rc"))); err != nil {
		return nil, err
	}
	var out []cost
	for _, s := range callSteps {
		c, err := measure(plumb, work, s.args...)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// bareCalls is what the same calls take, the provider and its start included.
func bareCalls(program string) ([]cost, error) {
	objects := make([]object, called)
	var out []cost
	for _, s := range callSteps {
		start, before := time.Now(), spent()
		if err := converse(program, s.rounds, objects); err != nil {
			return nil, err
		}
		out = append(out, cost{wall: time.Since(start), cpu: spent() - before})
	}
	return out, nil
}

const uuid = "std_random_uuid"

// object is what the calls for one object know of it.
type object struct {
	schema        *schema.Block
	config, prior value.Bare
	planned       provider.PlanResponse
	stored        []byte
	private       []byte
}

// call makes one call for an object.
type call func(context.Context, provider.Provider, *object) diag.List

func converse(program string, rounds [][]call, objects []object) error {
	ctx := context.Background()
	at, err := addr.ParseProvider("example/std", "registry.example")
	if err != nil {
		return err
	}
	// With the schemas of earlier runs, as plumb has them.
	p := process.New(process.Launch{Provider: at, Path: program, Environ: os.Environ(), Cache: process.NewCache(process.CacheDir())})
	defer p.Close()
	schemas, diags := p.Schemas(ctx)
	if diags.HasErrors() {
		return failed(diags)
	}
	of, diags := schemas.Type(addr.Managed, uuid)
	config := value.MustBare(cty.ObjectVal(map[string]cty.Value{}))
	diags = diags.With(p.Configure(ctx, provider.ConfigureRequest{Config: config, LanguageVersion: "1.16.0"}))
	if diags.HasErrors() {
		return failed(diags)
	}
	for i := range objects {
		objects[i].schema, objects[i].config = of.Block, configured(of.Block.Type(), i)
	}
	for _, round := range rounds {
		if err := spread(ctx, p, round, objects); err != nil {
			return err
		}
	}
	return nil
}

// configured is the configuration of the object number i.
func configured(t cty.Type, i int) value.Bare {
	attrs := map[string]cty.Value{}
	for name, at := range t.AttributeTypes() {
		attrs[name] = cty.NullVal(at)
	}
	attrs["keepers"] = cty.MapVal(map[string]cty.Value{"index": cty.StringVal(strconv.Itoa(i))})
	return value.MustBare(cty.ObjectVal(attrs))
}

// failed is the first error of diags.
func failed(diags diag.List) error {
	first := diags.Errors()[0]
	return fmt.Errorf("%s: %s", first.Summary, first.Detail)
}

// spread makes the calls of one round, width objects at a time.
func spread(ctx context.Context, p provider.Provider, round []call, objects []object) error {
	var wait sync.WaitGroup
	errs := make([]error, width)
	for w := range width {
		wait.Go(func() {
			for i := w; i < len(objects); i += width {
				for _, c := range round {
					if diags := c(ctx, p, &objects[i]); diags.HasErrors() {
						errs[w] = failed(diags)
						return
					}
				}
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

func validateOne(ctx context.Context, p provider.Provider, o *object) diag.List {
	return p.ValidateResource(ctx, uuid, o.config)
}

func upgradeOne(ctx context.Context, p provider.Provider, o *object) diag.List {
	res, diags := p.UpgradeState(ctx, provider.UpgradeRequest{TypeName: uuid, JSON: o.stored})
	o.prior = res.Upgraded
	return diags
}

func readOne(ctx context.Context, p provider.Provider, o *object) diag.List {
	res, diags := p.Read(ctx, provider.ReadRequest{TypeName: uuid, Prior: o.prior, Private: o.private})
	o.prior = res.New
	return diags
}

func planOne(ctx context.Context, p provider.Provider, o *object) diag.List {
	prior := o.prior
	if prior.IsZero() {
		prior = value.Null(o.schema.Type())
	}
	proposed := value.MustBare(contract.ProposedNew(o.schema, prior.Cty(), o.config.Cty()))
	res, diags := p.Plan(ctx, provider.PlanRequest{TypeName: uuid, Prior: prior, Proposed: proposed, Config: o.config, PriorPrivate: o.private})
	o.planned = res
	return diags
}

func applyOne(ctx context.Context, p provider.Provider, o *object) diag.List {
	res, diags := p.Apply(ctx, provider.ApplyRequest{TypeName: uuid, Prior: value.Null(o.schema.Type()), Planned: o.planned.Planned, Config: o.config, Private: o.planned.Private})
	if diags.HasErrors() {
		return diags
	}
	o.private = res.Private
	stored, err := ctyjson.Marshal(res.New.Cty(), o.schema.Type())
	if err != nil {
		return diag.Errs("Object cannot be stored", err.Error())
	}
	o.stored = stored
	return nil
}
