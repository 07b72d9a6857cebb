package std

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/crypto/bcrypt"
	"pgregory.net/rapid"
)

func TestRandomID(t *testing.T) {
	r := newRig(t)
	config := values{"byte_length": 8, "prefix": "p-"}
	id := r.create("std_random_id", config)
	r.settledOn(id, config)
	b, err := base64.RawURLEncoding.DecodeString(id.text("id"))
	if err != nil || len(b) != 8 {
		t.Fatalf("id %q: %v", id.text("id"), err)
	}
	if id.text("hex") != "p-"+hex.EncodeToString(b) || id.text("b64_std") != "p-"+base64.StdEncoding.EncodeToString(b) {
		t.Errorf("spellings disagree: %v", id.attrs())
	}
	back := r.imported("std_random_id", "p-,"+id.text("id"))
	if !back.value.Equal(id.value) {
		t.Errorf("import gives %v, want %v", back.attrs(), id.attrs())
	}
	if _, said := r.tryImport("std_random_id", "!"); said == "" {
		t.Error("imported nonsense")
	}
}

func TestKeepers(t *testing.T) {
	r := newRig(t)
	uuid := r.create("std_random_uuid", values{"keepers": values{"a": "1"}})
	for _, tc := range []struct {
		name    string
		keepers any
		replace string
	}{
		{"same", values{"a": "1"}, ""},
		{"changed", values{"a": "2"}, "keepers"},
		{"added", values{"a": "1", "b": "2"}, "keepers"},
		{"added without value", values{"a": "1", "b": nil}, ""},
		{"removed", values{}, "keepers"},
		{"unknown", unknown, "keepers"},
	} {
		plan := r.plan(uuid, values{"keepers": tc.keepers})
		if got := strings.Join(plan.replace, " "); got != tc.replace {
			t.Errorf("%s: replaced because of %q", tc.name, got)
		}
		if tc.replace == "" && plan.text("result") != uuid.text("result") {
			t.Errorf("%s: result planned as %v", tc.name, plan.attrs()["result"])
		}
	}
	imported := r.imported("std_random_uuid", uuid.text("id"))
	r.update(imported, values{"keepers": values{}})
}

func TestRandomUUID(t *testing.T) {
	r := newRig(t)
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	uuid := r.create("std_random_uuid", values{})
	if !form.MatchString(uuid.text("result")) || uuid.text("id") != uuid.text("result") {
		t.Errorf("drew %v", uuid.attrs())
	}
	for _, wrong := range []string{"", "x", strings.ReplaceAll(uuid.text("id"), "-", ""), uuid.text("id") + "0"} {
		if _, said := r.tryImport("std_random_uuid", wrong); said == "" {
			t.Errorf("imported %q", wrong)
		}
	}
	if o := r.imported("std_random_uuid", strings.ToUpper(uuid.text("id"))); o.text("id") != uuid.text("id") {
		t.Errorf("import gives %v", o.attrs())
	}
}

func TestRandomPet(t *testing.T) {
	r := newRig(t)
	for _, tc := range []struct {
		config values
		form   string
	}{
		{values{}, `^[a-z]+-[a-z]+$`},
		{values{"length": 1}, `^[a-z]+$`},
		{values{"length": 4, "separator": "_", "prefix": "web"}, `^web(_[a-z]+){4}$`},
	} {
		pet := r.create("std_random_pet", tc.config)
		if !regexp.MustCompile(tc.form).MatchString(pet.text("id")) {
			t.Errorf("%v drew %q", tc.config, pet.text("id"))
		}
		r.settledOn(pet, tc.config)
	}
}

func TestPetWords(t *testing.T) {
	plain := regexp.MustCompile(`^[a-z]{2,12}$`)
	for name, words := range map[string][]string{"adverbs": petAdverbs, "adjectives": petAdjectives, "animals": petAnimals} {
		seen := map[string]bool{}
		for _, w := range words {
			if !plain.MatchString(w) || seen[w] {
				t.Errorf("%s: %q is not plain or occurs twice", name, w)
			}
			seen[w] = true
		}
		if len(words) < 80 {
			t.Errorf("%s: only %d words", name, len(words))
		}
	}
}

func TestPasswordRecipes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		use := func(name string) types.Bool { return types.BoolValue(rapid.Bool().Draw(t, name)) }
		least := func(name string) types.Int64 { return types.Int64Value(rapid.Int64Range(0, 4).Draw(t, "min "+name)) }
		r := recipe{
			Length: types.Int64Value(rapid.Int64Range(1, 24).Draw(t, "length")),
			Upper:  use("upper"), Lower: use("lower"), Numeric: use("numeric"), Special: use("special"),
			MinUpper: least("upper"), MinLower: least("lower"), MinNumeric: least("numeric"), MinSpecial: least("special"),
			OverrideSpecial: types.StringValue(rapid.SampledFrom([]string{"", "!", "äß€"}).Draw(t, "override")),
		}
		if r.check().HasError() {
			return
		}
		password := r.make()
		rest := len([]rune(password))
		if int64(rest) != r.Length.ValueInt64() {
			t.Fatalf("%d characters: %q", rest, password)
		}
		for _, c := range r.classes() {
			n := 0
			for _, ch := range password {
				if strings.ContainsRune(c.characters, ch) {
					n++
				}
			}
			if !c.used() && n > 0 || int64(n) < c.least.ValueInt64() {
				t.Fatalf("%d of %s in %q", n, c.name, password)
			}
			rest -= n
		}
		if rest != 0 {
			t.Fatalf("characters of no class in %q", password)
		}
	})
}

func TestRandomPassword(t *testing.T) {
	r := newRig(t)
	config := values{"length": 20, "special": false, "min_numeric": 3}
	password := r.create("std_random_password", config)
	r.settledOn(password, config)
	if !regexp.MustCompile(`^[A-Za-z0-9]{20}$`).MatchString(password.text("result")) {
		t.Errorf("drew %q", password.text("result"))
	}
	if err := bcrypt.CompareHashAndPassword([]byte(password.text("bcrypt_hash")), []byte(password.text("result"))); err != nil {
		t.Error(err)
	}
	if plan := r.plan(password, values{"length": 21, "special": false, "min_numeric": 3}); strings.Join(plan.replace, " ") != "length" {
		t.Errorf("replaced because of %v", plan.replace)
	}
	imported := r.imported("std_random_password", "correct horse")
	r.settledOn(imported, values{"length": 13})
	for _, tc := range []struct {
		config values
		say    string
	}{
		{values{"length": 3, "min_upper": 2, "min_lower": 2}, "add up to 4"},
		{values{"length": 9, "upper": false, "min_upper": 1}, "upper = false excludes"},
		{values{"length": 9, "upper": false, "lower": false, "numeric": false, "special": false}, "Every class"},
		{values{"length": 0}, "between 1 and 65536"},
	} {
		if said := r.validate("std_random_password", tc.config); !strings.Contains(said, tc.say) {
			t.Errorf("%v: %s", tc.config, said)
		}
	}
}

// Every residue is equally likely; 6 does not divide a power of two.
func TestBelowIsFair(t *testing.T) {
	const draws = 60000
	var count [6]int
	for range draws {
		count[below(6)]++
	}
	var chi float64
	for _, n := range count {
		d := float64(n) - draws/6
		chi += d * d / (draws / 6)
	}
	if chi > 45 { // five degrees of freedom: once in a hundred million runs
		t.Errorf("chi squared is %.1f for %v", chi, count)
	}
}
