package order

// None stands for no site.
const None = -1

// Spreading says who is create-first, and because of whom.
type Spreading struct {
	CreateFirst bool
	// Because is the site that forces it, None where it is the site's own wish.
	Because int
}

// Spread says which sites have to be create-first because others are. A
// create-first site takes along everything it is configured to depend on: its
// new object needs theirs while its old object still needs theirs, too. Where
// toDependants is set (a reading of the dialect), a create-first site that is
// replaced also takes along the changing sites whose objects depend on it.
func Spread(sites []Site, toDependants bool) []Spreading {
	out := make([]Spreading, len(sites))
	var todo []int
	force := func(i, because int) {
		if i >= 0 && i < len(sites) && !out[i].CreateFirst {
			out[i] = Spreading{true, because}
			todo = append(todo, i)
		}
	}
	var dependants [][]int
	if toDependants {
		dependants = turned(sites)
	}
	for i := range sites {
		out[i].Because = None
	}
	for i := range sites {
		if sites[i].CreateFirst {
			force(i, None)
		}
	}
	for n := 0; n < len(todo); n++ {
		i := todo[n]
		for _, d := range sites[i].Deps {
			force(d, i)
		}
		if toDependants && sites[i].Replaces {
			for _, d := range dependants[i] {
				if sites[d].Make {
					force(d, i)
				}
			}
		}
	}
	return out
}

// turned are the sites whose recorded dependencies name each site.
func turned(sites []Site) [][]int {
	out := make([][]int, len(sites))
	for i := range sites {
		for _, d := range sites[i].Recorded {
			if d >= 0 && d < len(sites) {
				out[d] = append(out[d], i)
			}
		}
	}
	return out
}
