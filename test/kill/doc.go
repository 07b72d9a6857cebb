// Package kill kills plumb amid its work and asks what the next run knows.
//
// Every file that an apply made is in the state afterwards or named as one that
// may exist; what was destroyed is gone from it; and asking again comes to the
// same end.
//
// Read first: TestKill.
package kill
