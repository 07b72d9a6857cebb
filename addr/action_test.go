package addr

import "testing"

func TestActionAddresses(t *testing.T) {
	for text, ok := range map[string]bool{
		"action.a.b": true, "action.a.b[0]": true, `module.m["x"].action.a.b["k"]`: true, "module.m.module.n.action.a.b": true,
		"": false, "action": false, "action.a": false, "action.a.": false, "action.a.b.c": false, "aws_x.y": false,
		"action.a.b[": false, "action.a.b[-1]": false, "module.m": false, "module.action.a.b": false,
	} {
		a, err := ParseAction(text)
		if (err == nil) != ok {
			t.Errorf("%q: error %v", text, err)
		}
		if err == nil && a.String() != text {
			t.Errorf("%q is read as %q", text, a)
		}
	}
}
