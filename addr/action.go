package addr

import "fmt"

// AbsAction is an instance of an action in a module instance.
type AbsAction struct {
	Module     ModuleInstance
	Type, Name string
	Key        InstanceKey
}

// String is the address, such as `module.a.action.aws_x.y["k"]`.
func (a AbsAction) String() string {
	return dotted(a.Module.String(), "action."+a.Type+"."+a.Name+a.Key.String())
}

// ParseAction reads the address of an action, or of one instance of it. Without
// a key all instances may be meant.
func ParseAction(s string) (AbsAction, error) {
	return parseAction(s, false)
}

// ParsePlannedAction reads the address of what a plan runs: an instance of an
// action, or with [AnyKey] what stands for instances that are not known.
func ParsePlannedAction(s string) (AbsAction, error) {
	return parseAction(s, true)
}

func parseAction(s string, any bool) (AbsAction, error) {
	p := parser{src: s, any: any}
	m, ok := p.modules()
	a := AbsAction{Module: m}
	ok = ok && p.word("action") && p.eat('.')
	if ok {
		a.Type = p.ident()
		ok = a.Type != "" && p.eat('.')
	}
	if ok {
		a.Name = p.ident()
		a.Key, _ = p.key()
	}
	if !ok || a.Name == "" || !p.done() {
		return AbsAction{}, fmt.Errorf("%q is not the address of an action, such as action.aws_x.y or module.a.action.aws_x.y[0]", s)
	}
	return a, nil
}
