package diff

import (
	"slices"

	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// pairing compares the elements i and j of two lists; -1 stands for none.
type pairing func(i, j int) *Node

func (d differ) list(element cty.Type, before, after cty.Value, path cty.Path) *Node {
	n := &Node{Kind: List, Replace: d.forces(path)}
	x, y := elements(before), elements(after)
	pair := func(i, j int) *Node {
		return d.element(element, at(x, i), at(y, j), i, j, path)
	}
	if len(x) == len(y) && !reordered(x, y) {
		n.Elems = inStep(len(x), len(y), pair)
	} else {
		n.Elems = aligned(x, y, pair)
	}
	n.Action = d.whole(before, after, n)
	return n
}

// reordered says whether two lists hold the same elements, which then have
// moved rather than changed.
func reordered(x, y []cty.Value) bool {
	return within(x, y) && within(y, x)
}

// within says whether each element of x is among those of y.
func within(x, y []cty.Value) bool {
	byHash := make(map[int][]cty.Value, len(y))
	for _, v := range y {
		h := hash(v)
		byHash[h] = append(byHash[h], v)
	}
	for _, v := range x {
		if !slices.ContainsFunc(byHash[hash(v)], func(w cty.Value) bool { return same(v, w) }) {
			return false
		}
	}
	return true
}

// hash is that of the value without its marks, which have none.
func hash(v cty.Value) int { return value.Strip(v).Cty().Hash() }

func (d differ) tuple(before, after cty.Value, path cty.Path) *Node {
	n := &Node{Kind: List, Replace: d.forces(path)}
	x, y := elements(before), elements(after)
	n.Elems = inStep(len(x), len(y), func(i, j int) *Node {
		return d.element(cty.DynamicPseudoType, at(x, i), at(y, j), i, j, path)
	})
	n.Action = d.whole(before, after, n)
	return n
}

// inStep pairs by index; the longer list's rest is added or removed.
func inStep(n, m int, pair pairing) []*Node {
	out := make([]*Node, 0, max(n, m))
	for i := range max(n, m) {
		j := i
		if i >= m {
			j = -1
		}
		if i >= n {
			out = append(out, pair(-1, j))
			continue
		}
		out = append(out, pair(i, j))
	}
	return out
}

// aligned pairs along common elements. Between two of these, objects are
// compared with each other as long as both sides have some; others are removed
// and added.
func aligned(x, y []cty.Value, pair pairing) []*Node {
	var out []*Node
	i, j := 0, 0
	for _, m := range append(common(x, y), match{len(x), len(y)}) {
		for ; i < m.i; i++ {
			if j < m.j && isObject(x[i]) {
				out = append(out, pair(i, j))
				j++
			} else {
				out = append(out, pair(i, -1))
			}
		}
		for ; j < m.j; j++ {
			out = append(out, pair(-1, j))
		}
		if i < len(x) && j < len(y) {
			out = append(out, pair(i, j))
			i, j = i+1, j+1
		}
	}
	return out
}

func isObject(v cty.Value) bool {
	v, _ = v.Unmark()
	return v.IsKnown() && !v.IsNull() && (v.Type().IsObjectType() || v.Type().IsMapType())
}

// match is a pair of equal elements.
type match struct{ i, j int }

// tableLimit bounds the table of the alignment; longer lists are aligned at
// their ends only. Up to smallTable there is no need to take the common end off
// first, which prefers a later match to an earlier one.
const (
	tableLimit = 4_000_000
	smallTable = 10_000
)

// common is a longest common subsequence of two lists.
func common(x, y []cty.Value) []match {
	var head, tail []match
	lo, n, m := 0, len(x), len(y)
	for lo < n && lo < m && same(x[lo], y[lo]) {
		head = append(head, match{lo, lo})
		lo++
	}
	for (n-lo)*(m-lo) > smallTable && same(x[n-1], y[m-1]) {
		n, m = n-1, m-1
		tail = append(tail, match{n, m})
	}
	if (n-lo)*(m-lo) <= tableLimit {
		head = append(head, table(x, y, lo, n, m)...)
	}
	for k := len(tail) - 1; k >= 0; k-- {
		head = append(head, tail[k])
	}
	return head
}

// table finds the common elements of x[lo:n] and y[lo:m] by dynamic
// programming.
func table(x, y []cty.Value, lo, n, m int) []match {
	rows, cols := n-lo, m-lo
	if rows == 0 || cols == 0 {
		return nil
	}
	best := make([]int32, (rows+1)*(cols+1))
	for i := rows - 1; i >= 0; i-- {
		for j := cols - 1; j >= 0; j-- {
			cell := &best[i*(cols+1)+j]
			if same(x[lo+i], y[lo+j]) {
				*cell = best[(i+1)*(cols+1)+j+1] + 1
			} else {
				*cell = max(best[(i+1)*(cols+1)+j], best[i*(cols+1)+j+1])
			}
		}
	}
	var out []match
	for i, j := 0, 0; i < rows && j < cols; {
		switch {
		case same(x[lo+i], y[lo+j]):
			out = append(out, match{lo + i, lo + j})
			i, j = i+1, j+1
		case best[(i+1)*(cols+1)+j] >= best[i*(cols+1)+j+1]:
			i++
		default:
			j++
		}
	}
	return out
}

// same says whether two elements are known and equal, marks included.
func same(a, b cty.Value) bool { return a.RawEquals(b) && a.IsWhollyKnown() }

func (d differ) set(element cty.Type, before, after cty.Value, path cty.Path) *Node {
	n := &Node{Kind: Set, Replace: d.forces(path)}
	x, y := elements(before), elements(after)
	pairs := setPairs(x, y)
	for _, p := range pairs {
		n.Elems = append(n.Elems, d.element(element, at(x, p.i), at(y, p.j), p.i, p.j, path))
	}
	n.Action = d.whole(before, after, n)
	return n
}

// setPairs pairs equal elements; the rest of x goes and the rest of y comes.
func setPairs(x, y []cty.Value) []match {
	taken := make([]bool, len(y))
	byHash := make(map[int][]int, len(y))
	for j, v := range y {
		h := v.Hash()
		byHash[h] = append(byHash[h], j)
	}
	out := make([]match, 0, len(x)+len(y))
	for i, v := range x {
		p := match{i, -1}
		for _, j := range byHash[v.Hash()] {
			if !taken[j] && same(v, y[j]) {
				taken[j], p.j = true, j
				break
			}
		}
		out = append(out, p)
	}
	for j := range y {
		if !taken[j] {
			out = append(out, match{-1, j})
		}
	}
	return out
}

func at(list []cty.Value, i int) cty.Value {
	if i < 0 || i >= len(list) {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return list[i]
}

// index is the step to an element: its place in the new list, or in the old
// one where it goes.
func index(i, j int) cty.PathStep {
	if j < 0 {
		j = i
	}
	return cty.IndexStep{Key: cty.NumberIntVal(int64(j))}
}

// element compares element i of the one side with element j of the other; -1
// is none, which is something else than an element that is null.
func (d differ) element(t cty.Type, before, after cty.Value, i, j int, path cty.Path) *Node {
	p := step(path, index(i, j))
	n := d.typed(t, before, after, p)
	switch {
	case i < 0:
		n.Action = plan.Create
	case j < 0:
		n.Action = plan.Delete
	default:
		return d.stays(n, before, after, p)
	}
	return n
}
