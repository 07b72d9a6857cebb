package statecmd

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/state"
)

func list(name string, group command.Group) command.Command {
	return command.Command{
		Name: name, Gap: true, InLines: true, Args: "[options] [address...]", Synopsis: "List the instances in the state", Group: group,
		About: `Lists the addresses of the resource instances in the state, all of them or those that the addresses select. An address is that of a module, a resource or an instance, and may have wildcards ('aws_instance.web_*', '**.aws_iam_role.*').`,
		New: func(f *command.Flags) command.Run {
			options := declareState(f)
			id := f.String("id", "ID", "", "Only list instances whose attribute \"id\" has this value.")
			return func(ctx context.Context, s *session.Session, args []string) int {
				snapshot := read(ctx, s, options())
				if snapshot == nil {
					return 1
				}
				found, diags := selected(snapshot, args)
				if diags.HasErrors() {
					return s.Fail(diags)
				}
				for _, at := range found {
					if i := snapshot.Instance(at); i.Current() != nil && (*id == "" || idOf(i.Current()) == *id) {
						s.List("resource_address", at.String())
					}
				}
				return 0
			}
		},
	}
}

// idOf is the attribute "id" of an object, "" where there is none.
func idOf(o *state.Object) string {
	if o.Attrs == nil {
		return o.Flat["id"]
	}
	var attrs struct{ ID any }
	dec := json.NewDecoder(bytes.NewReader(o.Attrs))
	dec.UseNumber()
	if dec.Decode(&attrs) != nil {
		return ""
	}
	text, _ := attrs.ID.(string)
	return text
}

// identities lists resource identities.
func identities() command.Command {
	return command.Command{
		Name: "state identities", Gap: true, Args: "-json [options] [address...]", Synopsis: "Write the identities of instances in the state",
		About: `Writes the identities of the resource instances in the state as a JSON object by address. The option -json is required.`,
		New: func(f *command.Flags) command.Run {
			options := declareState(f)
			asJSON := f.Bool("json", false, "Required.")
			id := f.String("id", "ID", "", "Only instances whose attribute \"id\" has this value.")
			return func(ctx context.Context, s *session.Session, args []string) int {
				if !*asJSON {
					return s.Misused("The -json option is required", "Identities are written as JSON only: run \"plumb state identities -json\".")
				}
				snapshot := read(ctx, s, options())
				if snapshot == nil {
					return 1
				}
				found, diags := selected(snapshot, args)
				if diags.HasErrors() {
					return s.Fail(diags)
				}
				out := map[string]json.RawMessage{}
				for _, at := range found {
					o := snapshot.Instance(at).Current()
					if o != nil && o.Identity != nil && (*id == "" || idOf(o) == *id) {
						out[at.String()] = o.Identity
					}
				}
				b, err := json.MarshalIndent(out, "", "  ")
				if err != nil {
					s.Complain("%s\n", err)
					return 1
				}
				s.Print("%s\n", b)
				return 0
			}
		},
	}
}
