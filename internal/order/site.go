package order

import "fmt"

// Site is one resource, as far as the order is concerned.
type Site struct {
	// Make says that something is created, updated or read, End that something
	// is destroyed or forgotten.
	Make, End bool
	// Replaces says that some object of the site is replaced.
	Replaces bool
	// CreateFirst says that replacements come before the end of what they
	// replace.
	CreateFirst bool
	// Holds is for sites like providers, that have to be there for both legs of
	// whatever depends on them: Make opens them, End closes them.
	Holds bool
	// Deps are the sites that this one is configured to depend on, Recorded
	// those that the state says its objects depended on when they were made, and
	// Noted those that it took note of since: what is configured now and was not
	// carried out yet.
	Deps, Recorded, Noted []int
	// EndNeeds are the sites that have to be made before this one can be ended: what
	// the provider that ends it is configured with.
	EndNeeds []int
	// Prefers are sites whose ends this one's make would rather wait for: they
	// make room.
	Prefers []int
}

// first says whether the site makes before it ends. One that makes nothing
// does not, and one that holds others always does.
func (s *Site) first() bool { return (s.CreateFirst || s.Holds) && s.Make }

// Leg is one half of what happens to a site.
type Leg struct {
	Site int
	End  bool
}

// String is the leg for listings, by the site's number.
func (l Leg) String() string {
	if l.End {
		return fmt.Sprintf("end %d", l.Site)
	}
	return fmt.Sprintf("make %d", l.Site)
}

// Edge says that From waits for To, and by which row.
type Edge struct {
	From, To Leg
	// Own edges join the legs of one site: they bind each object to itself, not
	// every object to every other.
	Own bool
	Row string
}

// Program is the arranged legs.
type Program struct {
	// Legs are in an order in which they can run one by one.
	Legs []Leg
	// Edges are sorted by the place of From among the sites, then To.
	Edges []Edge
	// Dropped are wishes that lay on a cycle.
	Dropped []Edge
	// Cycle are sites that are configured to depend on each other in a circle:
	// each on the next and the last on the first. Legs and Edges are then of no
	// use.
	Cycle []int
}
