package state

import (
	"testing"

	"pgregory.net/rapid"
)

// checkTree says whether order, sizes and balance hold.
func checkTree(t *rapid.T, n *node[nameKey, int]) {
	if n == nil {
		return
	}
	l, r := n.left.len(), n.right.len()
	switch {
	case n.size != l+r+1:
		t.Fatalf("size %d of %d and %d", n.size, l, r)
	case l+r > 1 && (l > delta*r || r > delta*l):
		t.Fatalf("out of balance: %d and %d", l, r)
	case n.left != nil && !n.left.key.Less(n.key), n.right != nil && !n.key.Less(n.right.key):
		t.Fatal("out of order")
	}
	checkTree(t, n.left)
	checkTree(t, n.right)
}

func TestTreeStaysBalanced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.Map(rapid.IntRange(0, 60), func(n int) nameKey { return nameKey(rune('A' + n)) })
		model := map[nameKey]int{}
		var tree *node[nameKey, int]
		for i := range rapid.IntRange(0, 200).Draw(t, "operations") {
			k := key.Draw(t, "key")
			if rapid.IntRange(0, 2).Draw(t, "unset") == 0 {
				tree = tree.unset(k)
				delete(model, k)
			} else {
				tree = tree.set(k, i)
				model[k] = i
			}
			checkTree(t, tree)
		}
		if tree.len() != len(model) {
			t.Fatalf("%d entries, want %d", tree.len(), len(model))
		}
		tree.walk(func(k nameKey, v int) bool {
			if w, ok := model[k]; !ok || w != v {
				t.Fatalf("%s is %d, want %d", k, v, w)
			}
			return true
		})
	})
}
