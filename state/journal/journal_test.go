package journal_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
	"github.com/plumb-iac/plumb/state/statetest"
	v4 "github.com/plumb-iac/plumb/state/v4"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// record is the journal of edits, with the offset behind each record.
func record(t *rapid.T, base *state.Snapshot, edits []state.Edit) (src []byte, ends []int) {
	var enc journal.Encoder
	src = enc.Begin(nil, base.Lineage(), base.Serial())
	ends = []int{len(src)}
	for _, e := range edits {
		var err error
		if src, err = enc.Append(src, e); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, len(src))
	}
	return src, ends
}

func more(t *rapid.T, s *state.Snapshot) []state.Edit {
	var edits []state.Edit
	for range rapid.IntRange(0, 15).Draw(t, "journaled") {
		e := statetest.Edit(t, s)
		next, err := s.Apply(e)
		if err != nil {
			t.Fatal(err)
		}
		s, edits = next, append(edits, e)
	}
	return edits
}

func TestCutAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, _ := statetest.Snapshot(t)
		edits := more(t, base)
		src, ends := record(t, base, edits)
		cut := rapid.IntRange(0, len(src)).Draw(t, "cut")
		whole := 0
		for whole < len(ends) && ends[whole] <= cut {
			whole++
		}
		l := journal.Read(src[:cut])
		if l.Records != whole || l.Torn != int64(cut)-l.Size || whole > 0 && l.Size != int64(ends[whole-1]) {
			t.Fatalf("cut at %d: %d records of %d bytes and %d torn, want %d records", cut, l.Records, l.Size, l.Torn, whole)
		}
		if l.Damaged {
			t.Fatalf("cut at %d is taken for damage", cut)
		}
		k := max(whole-1, 0)
		want, err := base.Apply(edits[:k]...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := journal.Fold(base, l)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Snapshot.Equal(want) || !reflect.DeepEqual(got.Unresolved, journal.Unresolved(edits[:k])) {
			t.Fatalf("the state recovered from %d records differs", k)
		}
	})
}

// Only what was cut off in its first record may be begun anew: a journal that
// held more and was damaged is not.
func TestUnborn(t *testing.T) {
	var e journal.Encoder
	first := e.Begin(nil, "0b4b4c5e-1d3c-4a5e-9f00-111111111111", 300)
	src, err := e.Append(bytes.Clone(first), state.Intent{Op: "create"})
	if err != nil {
		t.Fatal(err)
	}
	for cut := 1; cut <= len(src); cut++ {
		if got, want := journal.Unborn(src[:cut]), cut < len(first); got != want {
			t.Errorf("cut at %d of %d: %t", cut, len(first), got)
		}
	}
	for at := range first {
		for flip := 1; flip < 256; flip++ {
			damaged := bytes.Clone(src)
			damaged[at] ^= byte(flip)
			if journal.Unborn(damaged) {
				t.Errorf("byte %d changed by %#x: taken for a journal that was never written", at, flip)
			}
		}
	}
}

func TestDamageAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := state.New("l")
		edits := more(t, base)
		src, ends := record(t, base, edits)
		at := rapid.IntRange(0, len(src)-1).Draw(t, "byte")
		src[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		l := journal.Read(src)
		before := 0
		for before < len(ends) && ends[before] <= at {
			before++
		}
		if before > 0 && before+2 < len(ends) && !l.Damaged {
			t.Fatalf("byte %d in record %d of %d: the records behind it are not noticed", at, before, len(ends))
		}
		if l.Records != before {
			t.Fatalf("damage in record %d: %d records are believed", before, l.Records)
		}
	})
}

func object(name string) addr.Object {
	return addr.Object{Instance: addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "t", Name: name}}}
}

func TestIntentsWithoutAResult(t *testing.T) {
	p := addr.ProviderConfig{Provider: addr.Builtin("terraform")}
	o := &state.Object{Attrs: []byte(`{}`)}
	put := func(name string) state.Edit { return state.Put{Object: object(name), Provider: p, New: o} }
	intent := func(name, op string) state.Edit { return state.Intent{Object: object(name), Op: op} }
	for _, test := range []struct {
		name  string
		edits []state.Edit
		want  string
	}{
		{"none", nil, "[]"},
		{"answered by a put", []state.Edit{intent("a", "create"), put("a")}, "[]"},
		{"answered by a drop", []state.Edit{intent("a", "delete"), state.Drop{Object: object("a")}}, "[]"},
		{"answered by an undepose", []state.Edit{put("a"), state.Depose{Instance: object("a").Instance, Key: "00000001"}, intent("a", "create"), state.Undepose{Instance: object("a").Instance, Key: "00000001"}}, "[]"},
		{"open", []state.Edit{intent("a", "create"), put("b")}, "[intent create t.a]"},
		{"open again", []state.Edit{intent("a", "create"), put("a"), intent("a", "update")}, "[intent update t.a]"},
		{"several in order", []state.Edit{intent("b", "create"), intent("a", "create")}, "[intent create t.b intent create t.a]"},
		{"the last counts", []state.Edit{intent("a", "create"), intent("a", "update")}, "[intent update t.a]"},
	} {
		if got := fmt.Sprint(journal.Unresolved(test.edits)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func put(name string) state.Edit {
	return state.PutOutput{Name: name, Output: state.Output{Value: cty.StringVal(name)}}
}

// on are edits on top of the state of a serial.
func on(serial uint64, edits ...state.Edit) *state.Snapshot {
	s, err := state.New("l").Apply(edits...)
	if err != nil {
		panic(err)
	}
	return s.WithSerial(serial)
}

func seal(edits int, s *state.Snapshot) journal.Seal {
	d, err := journal.DigestOf(s)
	if err != nil {
		panic(err)
	}
	return journal.Seal{Digest: d, Edits: edits}
}

func TestStanding(t *testing.T) {
	intent := state.Intent{Object: object("a"), Op: "create"}
	l := func(lineage string, serial uint64, seals ...journal.Seal) *journal.Log {
		return &journal.Log{Lineage: lineage, Serial: serial, Edits: []state.Edit{put("o"), intent}, Seals: seals}
	}
	// Two states were announced while the run went on, and edits followed.
	amid := &journal.Log{Lineage: "l", Serial: 3, Edits: []state.Edit{put("p"), put("q"), put("o"), intent},
		Seals: []journal.Seal{seal(1, on(4, put("p"))), seal(2, on(5, put("p"), put("q")))}}
	// A resumed run went on without what the journal's edits made, which was gone.
	without := l("l", 3, seal(2, on(4, put("r"))))
	for _, test := range []struct {
		name string
		base *state.Snapshot
		log  *journal.Log
		want journal.Standing
	}{
		{"no edits", on(3), &journal.Log{Lineage: "other"}, journal.Empty},
		{"on top", on(3), l("l", 3), journal.Continues},
		{"sealed, not written", on(3), l("l", 3, seal(2, on(4, put("o")))), journal.Continues},
		{"sealed and written", on(4, put("o")), l("l", 3, seal(2, on(4, put("o")))), journal.Finished},
		{"sealed and written, and written again by somebody", on(9, put("o")), l("l", 3, seal(2, on(4, put("o")))), journal.Finished},
		{"sealed and written, without what was gone", on(4, put("r")), without, journal.Finished},
		{"first state never written", nil, l("l", 0, seal(2, on(1))), journal.Continues},
		{"state removed", nil, l("l", 3), journal.Overtaken},
		{"other lineage", on(3), l("m", 3), journal.Foreign},
		{"other lineage, and the content that was announced", on(4), l("m", 3, seal(2, on(4))), journal.Foreign},
		{"sealed, and somebody wrote that serial", on(4, put("s")), l("l", 3, seal(2, on(4, put("o")))), journal.Overtaken},
		{"none of the sealed is written", on(3), amid, journal.Continues},
		{"the first of the sealed is written", on(4, put("p")), amid, journal.Continues},
		{"the last of the sealed is written", on(5, put("p"), put("q")), amid, journal.Continues},
		{"what nobody announced is written", on(6, put("q")), amid, journal.Overtaken},
		{"replaced by somebody", on(4), l("l", 3), journal.Overtaken},
		{"replaced by somebody after the seal", on(5), l("l", 3, seal(2, on(4, put("o")))), journal.Overtaken},
	} {
		r, err := journal.Fold(test.base, test.log)
		if err != nil || r.Standing != test.want {
			t.Errorf("%s: standing %d, error %v; want %d", test.name, r.Standing, err, test.want)
			continue
		}
		if len(r.Lost) > 0 != (test.want >= journal.Foreign) {
			t.Errorf("%s: lost %v", test.name, r.Lost)
		}
		_, has := r.Snapshot.Output("o")
		if test.want == journal.Continues && !has || test.want != journal.Continues && r.Snapshot != test.base {
			t.Errorf("%s: applied %v", test.name, has)
		}
	}
}

// TestFoldBehindSeal: what a stored state holds is not applied to it again.
func TestFoldBehindSeal(t *testing.T) {
	l := &journal.Log{Lineage: "l", Serial: 3, Edits: []state.Edit{put("a"), state.DropOutput{Name: "a"}, put("b"), put("c")},
		Seals: []journal.Seal{seal(1, on(4, put("a"))), seal(3, on(5, put("b")))}}
	for _, base := range []*state.Snapshot{on(3), on(4, put("a")), on(5, put("b"))} {
		r, err := journal.Fold(base, l)
		var names []string
		for name := range r.Snapshot.Outputs() {
			names = append(names, name)
		}
		slices.Sort(names)
		if got := fmt.Sprint(names); err != nil || got != "[b c]" {
			t.Errorf("%d: %s, %v", base.Serial(), got, err)
		}
	}
}

func TestSeal(t *testing.T) {
	var enc journal.Encoder
	announced := on(8, put("a"))
	src := enc.Begin(nil, "l", 7)
	src, _ = enc.Append(src, state.Prune{})
	src, _ = enc.Seal(src, announced)
	if l := journal.Read(src); !slices.Equal(l.Seals, []journal.Seal{seal(1, announced)}) || l.Serial != 7 || l.Lineage != "l" || l.Torn != 0 {
		t.Errorf("%+v", l)
	}
	src, _ = enc.Append(src, state.Prune{})
	if l := journal.Read(src); len(l.Seals) != 1 || l.Seals[0].Edits != 1 || len(l.Edits) != 2 {
		t.Errorf("%+v", l)
	}
}

// TestDigest: the digest tells what Equal tells, and survives the file of the state.
func TestDigest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := statetest.Snapshot(t)
		var file bytes.Buffer
		if err := v4.Write(&file, s, v4.Options{}); err != nil {
			t.Fatal(err)
		}
		read, diags := v4.Parse(file.Bytes())
		if diags.HasErrors() || seal(0, read) != seal(0, s) || seal(0, s.WithSerial(77).WithLineage("other")) != seal(0, s) {
			t.Fatalf("another digest, %v", diags)
		}
		next, err := s.Apply(statetest.Edit(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if same := seal(0, next) == seal(0, s); same != next.Equal(s) {
			t.Fatalf("the same digest: %t, equal: %t", same, next.Equal(s))
		}
	})
}

func TestBeginAnew(t *testing.T) {
	var enc journal.Encoder
	src := enc.Begin(nil, "l", 7)
	src, _ = enc.Append(src, state.DropOutput{Name: "old"})
	half := len(src)
	src = enc.Begin(src, "l", 8)
	src, _ = enc.Append(src, state.DropOutput{Name: "new"})
	l := journal.Read(src)
	if l.Serial != 8 || fmt.Sprint(l.Edits) != "[drop-output new]" || l.Size != int64(len(src)) {
		t.Errorf("%+v", l)
	}
	l = journal.Read(src[:half])
	enc = l.Encoder()
	src, _ = enc.Append(src[:half:half], state.DropOutput{Name: "more"})
	if l := journal.Read(src); l.Serial != 7 || fmt.Sprint(l.Edits) != "[drop-output old drop-output more]" {
		t.Errorf("%+v", l)
	}
}

func FuzzRead(f *testing.F) {
	var enc journal.Encoder
	src := enc.Begin(nil, "l", 7)
	src, _ = enc.Append(src, state.Put{Object: object("a"), New: &state.Object{Attrs: []byte(`{}`)}})
	f.Add(src)
	f.Fuzz(func(t *testing.T, src []byte) {
		l := journal.Read(src)
		if l.Size+l.Torn != int64(len(src)) {
			t.Fatal("bytes are missing")
		}
		_, _ = journal.Fold(nil, l)
	})
}
