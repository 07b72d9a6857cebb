package lang

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
)

// Suggest gives the candidate that name probably was meant to be, "" when none
// is close; of several the first in order.
//
// There may be as many mistakes as names, so nothing is put into order, and a name
// that cannot be close is not compared.
func Suggest(name string, candidates []string) string {
	length, best := utf8.RuneCountInString(name), ""
	for _, c := range candidates {
		if c == name || best != "" && c > best {
			continue
		}
		if more := utf8.RuneCountInString(c) - length; more > far || -more > far {
			continue
		}
		if levenshtein.Distance(name, c, nil) <= far {
			best = c
		}
	}
	return best
}

// far is how many letters a slip of the keyboard changes at most.
const far = 2

// DidYouMean is ` Did you mean "x"?` for the closest candidate, or "".
func DidYouMean(name string, candidates []string) string {
	if s := Suggest(name, candidates); s != "" {
		return fmt.Sprintf(" Did you mean %q?", s)
	}
	return ""
}

// Undeclared says that what ref names does not exist. Candidates are the names
// that do; where describes the module ("the root module", "module.a").
func Undeclared(ref Ref, candidates []string, where string) diag.Diag {
	hint := DidYouMean(ref.Name, candidates)
	var summary, detail string
	switch ref.Kind {
	case RefVar:
		summary = "Reference to undeclared input variable"
		if hint == "" {
			hint = fmt.Sprintf(" This variable can be declared with a variable %q {} block.", ref.Name)
		}
		detail = fmt.Sprintf("An input variable with the name %q has not been declared.%s", ref.Name, hint)
	case RefLocal:
		summary = "Reference to undeclared local value"
		detail = fmt.Sprintf("A local value with the name %q has not been declared.%s", ref.Name, hint)
	case RefModule:
		summary = "Reference to undeclared module"
		detail = fmt.Sprintf("No module call named %q is declared in %s.%s", ref.Name, where, hint)
	case RefResource:
		summary = "Reference to undeclared resource"
		hint = DidYouMean(ref.Resource.String(), candidates)
		detail = fmt.Sprintf("%s %q %q has not been declared in %s.%s", modeWords(ref.Resource.Mode), ref.Resource.Type, ref.Resource.Name, where, hint)
	case RefAction:
		summary = "Reference to undeclared action"
		detail = fmt.Sprintf("An action %q %q has not been declared in %s.", ref.Resource.Type, ref.Resource.Name, where)
	case RefRun:
		summary = "Reference to unavailable run block"
		detail = fmt.Sprintf("The run block %q is not available here: only runs that stand earlier in the file can be referred to.%s", ref.Name, hint)
	case RefOutput:
		summary = "Reference to undeclared output value"
		detail = fmt.Sprintf("An output value with the name %q has not been declared.%s", ref.Name, hint)
	default:
		summary = "Reference to undeclared object"
		detail = fmt.Sprintf("There is no %s here.", ref)
	}
	return diag.Err(summary, detail).At(ref.Range)
}

// UndeclaredOutput says that the module called by ref has no such output.
func UndeclaredOutput(ref Ref, name string, outputs []string) diag.Diag {
	return diag.Err("Unsupported attribute", fmt.Sprintf("This object does not have an attribute named %q.%s",
		name, DidYouMean(name, outputs))).At(ref.Range)
}

func modeWords(m addr.Mode) string {
	switch m {
	case addr.Data:
		return "A data resource"
	case addr.Ephemeral:
		return "An ephemeral resource"
	case addr.List:
		return "A list resource"
	}
	return "A managed resource"
}

// named are the attributes that each of the built-in objects has.
var named = map[RefKind][]string{
	RefPath:      {"module", "root", "cwd"},
	RefTerraform: {"workspace", "applying"},
	RefCount:     {"index"},
	RefEach:      {"key", "value"},
}

// CheckName reports an attribute that a built-in object (each, count, path,
// terraform) does not have.
func CheckName(ref Ref) diag.List {
	names, builtin := named[ref.Kind]
	if !builtin || slices.Contains(names, ref.Name) {
		return nil
	}
	return diag.List{wrongName(ref).At(ref.Range)}
}

func wrongName(ref Ref) diag.Diag {
	summary := fmt.Sprintf("Invalid %q attribute", ref.Root)
	lacks := fmt.Sprintf("The %q object does not have an attribute named %q.", ref.Root, ref.Name)
	switch ref.Kind {
	case RefTerraform:
		if ref.Name == "env" {
			return diag.Err(summary, `The attribute "env" of "terraform" went away long ago; the selected workspace is terraform.workspace.`)
		}
		return diag.Err(summary, lacks+" There are terraform.workspace, the selected workspace's name, and terraform.applying, true only while a plan is applied.")
	case RefCount:
		return diag.Err(summary, lacks+" There is only count.index, the number of each instance where the \"count\" argument is set.")
	case RefEach:
		return diag.Err(summary, lacks+" There are each.key and each.value, the key and value of each instance where the \"for_each\" argument is set.")
	}
	return diag.Err(summary, lacks)
}

// nameless says of a word like local that no attribute follows what the missing
// name leads to: nothing. The incumbents report this beside the mistake itself,
// without a place, and tools count it.
func nameless(t hcl.Traversal) diag.List {
	ref := Ref{Kind: shapes[t.RootName()].kind, Root: t.RootName()}
	var d diag.Diag
	switch ref.Kind {
	case RefVar, RefLocal:
		d = Undeclared(ref, nil, "")
	case RefEach, RefCount, RefPath, RefTerraform:
		d = wrongName(ref)
	default:
		return nil
	}
	d.Detail = fmt.Sprintf("No name follows the word %q, so it leads nowhere.", ref.Root)
	return diag.List{d.At(diag.Range{})}
}

// Unavailable says that each, count or self means nothing where ref stands.
func Unavailable(ref Ref) diag.Diag {
	var d diag.Diag
	switch ref.Kind {
	case RefCount:
		d = diag.Err(`Reference to "count" in non-counted context`,
			`The "count" object exists only inside blocks that have the "count" argument set.`)
	case RefEach:
		d = diag.Err(`Reference to "each" in context without for_each`,
			`The "each" object exists only inside blocks that have the "for_each" argument set.`)
	case RefSelf:
		d = diag.Err(`Invalid "self" reference`,
			`The "self" object means the resource instance whose provisioner, connection or postcondition block is evaluated; it does not exist elsewhere.`)
	default:
		d = diag.Err("Invalid reference", fmt.Sprintf("%s cannot be used here.", ref))
	}
	return d.At(ref.Range)
}

// EachValueGone says that each.value is read where there is no for_each value:
// outside of any for_each, or in a block that has lost it.
func EachValueGone(ref Ref) diag.Diag {
	return diag.Err("each.value cannot be used in this context",
		`"each.value" is read where it does not exist, for example because the "for_each" expression no longer has it. Remove the reference, or add the value to "for_each".`).At(ref.Range)
}
