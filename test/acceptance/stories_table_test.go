package acceptance

import "strings"

// story is what happens to objects.
type story struct {
	name, about string
	// apart says why the makes of providers differ in it.
	apart string
	tell  func(p *play)
}

var stories = []story{
	{name: "a life", about: "An object is created, stays as it is, changes, and is destroyed.", tell: func(p *play) {
		p.thing(`name = "one"`)
		p.apply()
		p.apply()
		p.thing(`name = "two"`, `size = 3`)
		p.apply()
		p.thing(`name = "two"`)
		p.apply()
		p.config("")
		p.apply()
	}},
	{name: "what is optional and computed", about: "A value that is configured no longer stays.", tell: func(p *play) {
		p.thing(`name = "one"`, `given = "mine"`)
		p.apply()
		p.thing(`name = "one"`)
		p.apply()
	}},
	{name: "blocks", about: "Nested blocks come, change, and go.", tell: func(p *play) {
		p.thing(`name = "one"`, "row { port = 80 }")
		p.apply()
		p.thing(`name = "one"`, "row {\n    port = 80\n    note = \"web\"\n  }", "row { port = 443 }")
		p.apply()
		p.thing(`name = "one"`)
		p.apply()
	}},
	{name: "replaced, the old one first", about: "An argument that cannot be changed.", tell: func(p *play) {
		p.thing(`name = "one"`, `zone = "x"`)
		p.apply()
		p.thing(`name = "one"`, `zone = "y"`)
		p.apply()
	}},
	{name: "replaced, the new one first", about: "The same, where something depends on the object.", tell: func(p *play) {
		text := func(zone string) string {
			return `
resource "story_thing" "a" {
  name = "one"
  zone = "` + zone + `"
  lifecycle { create_before_destroy = true }
}
resource "story_thing" "b" { name = story_thing.a.id }`
		}
		p.config(text("x"))
		p.apply()
		p.config(text("y"))
		p.apply()
	}},
	{name: "asked to be replaced", about: "Replacement on request.", tell: func(p *play) {
		p.thing(`name = "one"`)
		p.apply()
		p.apply("-replace=story_thing.a")
	}},
	{name: "tainted", about: "Replacement of what is known to be broken.", tell: func(p *play) {
		p.thing(`name = "one"`)
		p.apply()
		p.command("taint", "story_thing.a")
		p.apply()
	}},
	{name: "drift", about: "An object is changed behind the state's back.", tell: func(p *play) {
		p.thing(`name = "one"`)
		p.apply()
		p.rename("story_thing-1", "other")
		p.apply("-refresh-only")
		p.apply()
	}},
	{name: "deleted outside", about: "An object is removed behind the state's back.", tell: func(p *play) {
		p.thing(`name = "one"`)
		p.apply()
		p.remove("story_thing-1")
		p.apply()
	}},
	{name: "deleted twice", about: "What is to be destroyed is gone already.", tell: func(p *play) {
		p.thing(`name = "one"`)
		p.apply()
		p.remove("story_thing-1")
		p.apply("-destroy")
	}},
	{name: "import", about: "An object is forgotten and taken back, by a block and by the command.", tell: func(p *play) {
		p.thing(`name = "one"`)
		p.apply()
		p.command("state", "rm", "story_thing.a")
		p.config("import {\n  to = story_thing.a\n  id = \"story_thing-1\"\n}\nresource \"story_thing\" \"a\" { name = \"two\" }")
		p.apply()
		p.command("state", "rm", "story_thing.a")
		p.command("import", "story_thing.a", "story_thing-1")
		p.command("state", "rm", "story_thing.a")
		p.command("import", "story_thing.a", "story_thing-7")
	}},
	{name: "a creation that comes to nothing", about: "The provider fails before there is an object.", tell: func(p *play) {
		p.thing(`name = "one"`, `fail = "create-nothing"`)
		p.apply()
		p.thing(`name = "one"`)
		p.apply()
	}},
	{name: "a creation that breaks off", about: "The provider fails when there is an object: it cannot be trusted.", tell: func(p *play) {
		p.thing(`name = "one"`, `fail = "create"`)
		p.apply()
		p.thing(`name = "one"`)
		p.apply()
	}},
	{name: "an update that fails", about: "The object stays as it was, and so does the state.", tell: func(p *play) {
		p.thing(`name = "one"`)
		p.apply()
		p.thing(`name = "two"`, `fail = "update"`)
		p.apply()
		p.thing(`name = "two"`)
		p.apply()
	}},
	{name: "an update that fails carelessly", about: "The provider fails without saying what the object is now.",
		apart: "the SDK then answers with what was planned, the framework with what was before. The next refresh finds out.",
		tell: func(p *play) {
			p.thing(`name = "one"`)
			p.apply()
			p.thing(`name = "two"`, `fail = "update-careless"`)
			p.apply()
			p.thing(`name = "two"`)
			p.apply()
		}},
	{name: "a deletion that fails", about: "The object stays in the state until it is gone.", tell: func(p *play) {
		p.thing(`name = "one"`, `fail = "delete"`)
		p.apply()
		p.apply("-destroy")
		p.thing(`name = "one"`)
		p.apply()
		p.apply("-destroy")
	}},
	{name: "a replacement that breaks off", about: "The old object is gone and the new one is not there.", tell: func(p *play) {
		p.thing(`name = "one"`, `zone = "x"`)
		p.apply()
		p.thing(`name = "one"`, `zone = "y"`, `fail = "create-nothing"`)
		p.apply()
		p.thing(`name = "one"`, `zone = "y"`)
		p.apply()
	}},
	{name: "moved", about: "An object gets another name.", tell: func(p *play) {
		p.thing(`name = "one"`)
		p.apply()
		p.config("moved {\n  from = story_thing.a\n  to   = story_thing.b\n}\nresource \"story_thing\" \"b\" { name = \"one\" }")
		p.apply()
	}},
	{name: "moved to another type", about: "An object becomes one of another type.",
		apart: "providers on the SDK cannot do that.",
		tell: func(p *play) {
			p.thing(`name = "one"`)
			p.apply()
			p.config("moved {\n  from = story_thing.a\n  to   = story_other.a\n}\nresource \"story_other\" \"a\" { name = \"one\" }")
			p.apply()
		}},
	{name: "a data source", about: "It is read when it can be, in the plan or in the apply, and may fail.", tell: func(p *play) {
		p.config("resource \"story_thing\" \"a\" { name = \"one\" }\ndata \"story_count\" \"n\" {\n  kind       = \"story_thing\"\n  depends_on = [story_thing.a]\n}")
		p.apply()
		p.config("resource \"story_thing\" \"a\" { name = \"two\" }\ndata \"story_count\" \"n\" { kind = \"story_thing\" }")
		p.apply()
		p.config("data \"story_count\" \"n\" { kind = \"nothing\" }")
		p.apply()
	}},
	{name: "what is sensitive", about: "It is in the state and in the JSON; it changes like everything else.", tell: func(p *play) {
		p.thing(`name = "one"`, `secret = "s1"`)
		p.apply()
		p.thing(`name = "one"`, `secret = "s2"`)
		p.apply()
		p.line("the words of the plan have it: %t", strings.Contains(p.must("show", "-no-color", "tfplan"), "s2"))
	}},
	{name: "what is only written", about: "A write-only argument reaches the provider and is kept nowhere.", tell: func(p *play) {
		p.thing(`name = "one"`, `once = "w1"`)
		p.apply()
		p.thing(`name = "one"`, `once = "w2"`)
		p.apply()
	}},
	{name: "refused", about: "What does not fit the schema.", tell: func(p *play) {
		p.thing(`name = "one"`, `size = "many"`)
		p.apply()
		p.thing(`colour = "red"`)
		p.apply()
	}},
	{name: "refused by the provider", about: "A computed attribute is configured.", apart: "each library has its own words.", tell: func(p *play) {
		p.thing(`name = "one"`, `made = "mine"`)
		p.apply()
	}},
}
