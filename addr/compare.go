package addr

// Compare orders two addresses by their Less: negative when a comes first, 0
// when they are the same.
func Compare[A interface{ Less(A) bool }](a, b A) int {
	switch {
	case a.Less(b):
		return -1
	case b.Less(a):
		return 1
	}
	return 0
}
