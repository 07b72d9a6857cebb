package state

// ordered is a key with its own order.
type ordered[K any] interface {
	comparable
	Less(K) bool
}

// node is a persistent weight-balanced search tree. The nil node is the empty
// tree. No node changes once it is reachable, so trees may be shared freely
// between goroutines.
type node[K ordered[K], V any] struct {
	key         K
	val         V
	left, right *node[K, V]
	size        int
}

// The balance: no side is heavier than delta times the other, and a single
// rotation serves where the inner grandchild is lighter than ratio times the
// outer one.
const (
	delta = 3
	ratio = 2
)

func (n *node[K, V]) len() int {
	if n == nil {
		return 0
	}
	return n.size
}

func (n *node[K, V]) get(k K) (v V, ok bool) {
	for n != nil {
		switch {
		case k == n.key:
			return n.val, true
		case k.Less(n.key):
			n = n.left
		default:
			n = n.right
		}
	}
	return v, false
}

// set gives the tree with k bound to v.
func (n *node[K, V]) set(k K, v V) *node[K, V] {
	switch {
	case n == nil:
		return &node[K, V]{key: k, val: v, size: 1}
	case k == n.key:
		return &node[K, V]{k, v, n.left, n.right, n.size}
	case k.Less(n.key):
		return balance(n, n.left.set(k, v), n.right)
	}
	return balance(n, n.left, n.right.set(k, v))
}

// unset gives the tree without k.
func (n *node[K, V]) unset(k K) *node[K, V] {
	switch {
	case n == nil:
		return nil
	case k == n.key:
		return glue(n.left, n.right)
	case k.Less(n.key):
		if l := n.left.unset(k); l != n.left {
			return balance(n, l, n.right)
		}
	default:
		if r := n.right.unset(k); r != n.right {
			return balance(n, n.left, r)
		}
	}
	return n
}

// walk calls each in order until it returns false.
func (n *node[K, V]) walk(each func(K, V) bool) bool {
	return n == nil || n.left.walk(each) && each(n.key, n.val) && n.right.walk(each)
}

// plant builds a balanced tree of n entries given in order.
func plant[K ordered[K], V any](n int, entry func(i int) (K, V)) *node[K, V] {
	return plantRange(0, n, entry)
}

func plantRange[K ordered[K], V any](from, to int, entry func(i int) (K, V)) *node[K, V] {
	if from == to {
		return nil
	}
	mid := (from + to) / 2
	k, v := entry(mid)
	return join(k, v, plantRange(from, mid, entry), plantRange(mid+1, to, entry))
}

func join[K ordered[K], V any](k K, v V, l, r *node[K, V]) *node[K, V] {
	return &node[K, V]{k, v, l, r, l.len() + r.len() + 1}
}

// balance is n with other sides, of which one may have gained or lost one.
func balance[K ordered[K], V any](n, l, r *node[K, V]) *node[K, V] {
	ln, rn := l.len(), r.len()
	switch {
	case ln+rn <= 1:
	case rn > delta*ln:
		return rotateLeft(n, l, r)
	case ln > delta*rn:
		return rotateRight(n, l, r)
	}
	return join(n.key, n.val, l, r)
}

func rotateLeft[K ordered[K], V any](n, l, r *node[K, V]) *node[K, V] {
	if in := r.left; in.len() >= ratio*r.right.len() {
		return join(in.key, in.val, join(n.key, n.val, l, in.left), join(r.key, r.val, in.right, r.right))
	}
	return join(r.key, r.val, join(n.key, n.val, l, r.left), r.right)
}

func rotateRight[K ordered[K], V any](n, l, r *node[K, V]) *node[K, V] {
	if in := l.right; in.len() >= ratio*l.left.len() {
		return join(in.key, in.val, join(l.key, l.val, l.left, in.left), join(n.key, n.val, in.right, r))
	}
	return join(l.key, l.val, l.left, join(n.key, n.val, l.right, r))
}

// glue joins two trees, all of l before all of r.
func glue[K ordered[K], V any](l, r *node[K, V]) *node[K, V] {
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	}
	first := r
	for first.left != nil {
		first = first.left
	}
	return balance(first, l, r.unset(first.key))
}
