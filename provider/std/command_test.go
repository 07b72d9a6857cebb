package std

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func needShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("these commands are written for a POSIX shell")
	}
}

// thing is an object kept in a file by shell commands.
func thing(at, content string) values {
	return values{
		"create":      `printf %s "$CONTENT" > "$AT"; echo made "$STD_ID"`,
		"read":        `test -f "$AT" && cat "$AT"`,
		"update":      `printf %s "$CONTENT" > "$AT"; echo changed after "$STD_STDOUT"`,
		"delete":      []any{"/bin/sh", "-c", `rm "$AT"; echo "$STD_OPERATION $STD_OBSERVED" > "$AT.log"`},
		"environment": values{"AT": at, "CONTENT": content},
	}
}

func TestCommandLife(t *testing.T) {
	needShell(t)
	r := newRig(t)
	at := filepath.Join(t.TempDir(), "thing")
	c := r.create("std_command", thing(at, "one"))
	if c.text("stdout") != "made "+c.text("id")+"\n" || c.text("observed") != "one" || c.attrs()["exit_code"] != 0 {
		t.Errorf("created %v", c.attrs())
	}
	c, _ = r.read(c)
	r.settledOn(c, thing(at, "one"))

	made := c.text("id")
	c = r.update(c, thing(at, "two"))
	if c.text("stdout") != "changed after made "+made+"\n" || c.text("observed") != "two" || c.text("id") != made {
		t.Errorf("updated %v", c.attrs())
	}
	c, _ = r.read(c)
	r.settledOn(c, thing(at, "two"))

	r.destroy(c)
	if got := contents(t, at+".log"); got != "delete two\n" {
		t.Errorf("delete saw %q", got)
	}
	if _, there := r.read(c); there {
		t.Error("still there")
	}
}

func TestCommandDrift(t *testing.T) {
	needShell(t)
	r := newRig(t)
	at := filepath.Join(t.TempDir(), "thing")
	config := thing(at, "one")
	c := r.create("std_command", config)
	r.must(os.WriteFile(at, []byte("meddled"), 0o600))
	c, _ = r.read(c)
	if c.text("observed") != "meddled" {
		t.Errorf("observed %v", c.attrs())
	}
	c, _ = r.read(c) // a second look does not make the drift the norm
	c = r.update(c, config)
	if contents(t, at) != "one" || c.text("observed") != "one" {
		t.Errorf("not repaired: %q", contents(t, at))
	}

	delete(config, "update")
	c = r.update(c, config) // only recorded
	r.must(os.WriteFile(at, []byte("meddled"), 0o600))
	c, _ = r.read(c)
	if got := r.plan(c, config).replace; strings.Join(got, " ") != "observed" {
		t.Errorf("drift without update replaces because of %v", got)
	}
}

func TestCommandPlans(t *testing.T) {
	needShell(t)
	r := newRig(t)
	base := values{"create": "echo hi", "triggers": values{"a": "1"}}
	c := r.create("std_command", base)
	if c.attrs()["observed"] != nil {
		t.Errorf("observed without read: %v", c.attrs())
	}
	for _, tc := range []struct {
		name    string
		change  values
		replace string
		runs    bool
	}{
		{"nothing", values{}, "", false},
		{"create", values{"create": "echo ho"}, "create", true},
		{"create as a list", values{"create": []any{"echo", "hi", 3, true}}, "create", true},
		{"stdin and environment", values{"stdin": "x", "environment": values{"A": "b"}}, "environment stdin", true},
		{"unknown word", values{"create": []any{"echo", unknown}}, "create", true},
		{"unknown environment", values{"environment": values{"A": unknown}}, "environment", true},
		{"triggers", values{"triggers": values{"a": "2"}}, "triggers", false},
		{"delete and timeout", values{"delete": "true", "timeout": "5s"}, "", false},
		{"with update", values{"create": "echo ho", "update": "echo up"}, "", true},
		{"update alone", values{"update": "echo up"}, "", false},
	} {
		config := values{}
		for _, from := range []values{base, tc.change} {
			for name, v := range from {
				config[name] = v
			}
		}
		plan := r.plan(c, config)
		if got := strings.Join(plan.replace, " "); got != tc.replace {
			t.Errorf("%s: replaced because of %q", tc.name, got)
		}
		if runs := plan.attrs()["stdout"] == unknown; runs != tc.runs {
			t.Errorf("%s: runs is %t", tc.name, runs)
		}
	}
	// A read command added later sets the norm and does not count as drift.
	config := values{"create": "echo hi", "triggers": values{"a": "1"}, "read": "echo seen"}
	c = r.update(c, config)
	c, _ = r.read(c)
	r.settledOn(c, config)
}

func TestCommandFailures(t *testing.T) {
	needShell(t)
	r := newRig(t)
	try := func(config values) (object, string) {
		none := r.none("std_command")
		return r.tryApply(none, r.plan(none, config), config)
	}
	half, said := try(values{"create": "echo half; echo oops >&2; exit 3"})
	if !strings.Contains(said, "ended with exit code 3. Its last words:\n\noops") {
		t.Error(said)
	}
	if half.text("stdout") != "half\n" || half.attrs()["exit_code"] != 3 {
		t.Errorf("half an object is not recorded: %v", half.value)
	}
	if none, said := try(values{"create": []any{"/no/such/program"}}); !none.value.IsNull() || !strings.Contains(said, "could not be started") {
		t.Errorf("%v %s", none.value, said)
	}
	if _, said := try(values{"create": "exit 3", "success_exit_codes": []any{0, 3}}); said != "" {
		t.Error(said)
	}
	if _, said := try(values{"create": "sleep 30 & wait", "timeout": "50ms"}); !strings.Contains(said, "stopped after its timeout of 50ms") {
		t.Error(said)
	}
	if _, said := try(values{"create": "true", "read": "exit 1"}); !strings.Contains(said, "the object does not exist") {
		t.Error(said)
	}
	if _, said := try(values{"create": "true", "read": "exit 4"}); !strings.Contains(said, "exit code 4") {
		t.Error(said)
	}
	if gone, said := try(values{"create": "true", "read": "exit 4", "absent_exit_code": 4}); !strings.Contains(said, "does not exist") {
		t.Errorf("%v %s", gone.value, said)
	}
	c, _ := try(values{"create": "echo a", "update": "exit 1"})
	config := values{"create": "echo b", "update": "exit 1"}
	if kept, said := r.tryApply(c, r.plan(c, config), config); !strings.Contains(said, "exit code 1") || !kept.value.Equal(c.value) {
		t.Errorf("a failed update leaves %v: %s", kept.value, said)
	}
	c, _ = try(values{"create": "true", "delete": "exit 7"})
	if kept, said := r.tryApply(c, r.plan(c, nil), nil); !strings.Contains(said, "exit code 7") || kept.value.IsNull() {
		t.Errorf("a failed delete leaves %v: %s", kept.value, said)
	}
}

func TestCommandRefusals(t *testing.T) {
	r := newRig(t)
	for _, tc := range []struct {
		config values
		say    string
	}{
		{values{"create": " "}, "it is empty"},
		{values{"create": []any{}}, "it names no program"},
		{values{"create": 5}, "it is neither"},
		{values{"create": []any{"a", []any{}}}, "of element 1, it is not a string"},
		{values{"create": "x", "timeout": "soon"}, "a positive duration"},
		{values{"create": unknown}, ""},
		{values{"create": []any{"echo", unknown}}, ""},
	} {
		said := r.validate("std_command", tc.config)
		if tc.say == "" && said != "" || !strings.Contains(said, tc.say) {
			t.Errorf("%v: %s", tc.config, said)
		}
	}
}

func TestCommandData(t *testing.T) {
	needShell(t)
	r := newRig(t)
	got, said := r.data("std_command", values{"program": []any{"cat"}, "stdin": "plain"})
	if said != "" || got["stdout"] != "plain" || got["result"] != nil {
		t.Errorf("%v %s", got, said)
	}
	got, said = r.data("std_command", values{"program": "cat", "query": values{"a": "1", "b": "x y"}})
	if said != "" || got["result"].(values)["b"] != "x y" {
		t.Errorf("%v %s", got, said)
	}
	if _, said = r.data("std_command", values{"program": "echo hi", "query": values{}}); !strings.Contains(said, "Unexpected answer") {
		t.Error(said)
	}
	if _, said = r.data("std_command", values{"program": "cat", "query": values{}, "stdin": ""}); !strings.Contains(said, "Conflicting arguments") {
		t.Error(said)
	}
	if _, said = r.data("std_command", values{"program": "exit 1"}); !strings.Contains(said, "It printed no error message.") {
		t.Error(said)
	}
}

func TestHandshakeIsNotInherited(t *testing.T) {
	got := inherited([]string{"PATH=/bin", "TF_PLUGIN_MAGIC_COOKIE=x", "PLUGIN_MIN_PORT=1", "TF_VAR_a=b"})
	if strings.Join(got, " ") != "PATH=/bin TF_VAR_a=b" {
		t.Errorf("inherits %v", got)
	}
}
