package addr

import "testing"

func TestAddressesOfWhatIsNotKnown(t *testing.T) {
	for text, any := range map[string]bool{
		"a.b": false, "a.b[*]": true, "module.m[*].a.b": true, `module.m["*"].a.b["[*]"]`: false,
		"module.m.module.n[*].data.a.b[0]": true,
	} {
		a, err := ParsePlanned(text)
		if err != nil || a.String() != text || a.HasAny() != any {
			t.Errorf("%q is read as %q, any %v: %v", text, a, a.HasAny(), err)
		}
		if _, err := ParseInstance(text); (err != nil) != any {
			t.Errorf("%q as the address of an instance: %v", text, err)
		}
	}
	at := AbsInstance{Resource: Resource{Managed, "a", "b"}, Key: AnyKey}
	if last := StringKey("z"); !last.Less(AnyKey) || AnyKey.Less(last) || at.String() != "a.b[*]" {
		t.Error("the key that stands for all comes last")
	}
}
