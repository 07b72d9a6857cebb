package operate

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/plan"
)

// inModule is the part of an address that names a module instance.
var inModule = regexp.MustCompile(`^(module\.[^.\[\]]+(\[("[^"]*"|\d+)\])?\.?)*`)

// notExplained are the kinds of things that have an address and no explanation:
// what they are called, and where to look.
var notExplained = map[string][2]string{
	"output":    {"An output", "\"plumb plan\" shows how it changes, and \"plumb console\" what its expression is worth. To know where its value comes from, explain the resource that it refers to."},
	"var":       {"An input variable", "\"plumb console\" shows its value. It comes from -var, -var-file, the files of variables, TF_VAR_ in the environment, or its default, in this order."},
	"local":     {"A local value", "\"plumb console\" shows what its expression is worth. To know where its value comes from, explain the resource that it refers to."},
	"ephemeral": {"An ephemeral resource", "It is opened anew in every run, and nothing of it is kept that could be laid side by side. \"plumb plan\" tells when it is opened and closed; what is made of its values has an explanation of its own."},
	"action":    {"An action", "It has no object. \"plumb plan\" lists the actions that are going to be invoked, each with the change that triggers it; explain that."},
	"check":     {"A check", "\"plumb plan\" tells how its conditions come out. The data source inside of it can be explained by its own address."},
	"provider":  {"A provider configuration", "\"plumb providers\" tells who needs it, and \"plumb console\" what the expressions in it are worth."},
	"list":      {"A list resource", "\"plumb query\" runs it. What it finds has no plan before it is imported."},
}

// elsewhere says where to look for what cannot be explained; nil for what can.
func elsewhere(address string) *diag.Diag {
	rest := address[len(inModule.FindString(address)):]
	kind, _, _ := strings.Cut(rest, ".")
	where, found := notExplained[kind]
	if rest == "" {
		where, found = [2]string{"A module", fmt.Sprintf("It is as many plans as it has resources. \"plumb state list %s\" names those that exist, and \"plumb plan -target=%[1]s\" shows what happens to all of them.", address)}, address != ""
	}
	if !found {
		return nil
	}
	d := diag.Err("Nothing to explain", fmt.Sprintf("%s has no explanation: the instances of resources and data sources have one. %s", where[0], where[1])).By(diag.Operator)
	return &d
}

// missing says that a plan does not have an object, and what it has that may be
// meant.
func missing(o addr.Object, doc *plan.Document) diag.Diag {
	text := "The plan has no object " + o.String() + ": neither the configuration nor the state has it."
	var instances, deposed []string
	if doc != nil {
		for _, c := range doc.Changes {
			switch {
			case c.Moved() && c.PrevAddr == o.Instance:
				text = fmt.Sprintf("The object moved: explain it by its new address, %s.", c.Addr)
			case c.Addr == o.Instance && c.Deposed != "":
				deposed = append(deposed, "-deposed="+string(c.Deposed))
			case c.Deposed == "" && c.Addr.Config() == o.Instance.Config() && c.Addr != o.Instance:
				instances = append(instances, c.Addr.String())
			}
		}
	}
	if len(deposed) > 0 {
		text += " It has deposed objects: " + strings.Join(deposed, ", ") + "."
	}
	if n := len(instances); n > 0 {
		more := ""
		if n > 5 {
			instances, more = instances[:5], fmt.Sprintf(" and %d more", n-5)
		}
		text += " The plan has these instances of the resource: " + strings.Join(instances, ", ") + more + "."
	}
	return diag.Err("Nothing to explain", text).By(diag.Operator)
}
