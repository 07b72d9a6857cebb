// Package quickstart runs the README's first command the way a newcomer does:
// the real program, a real third-party provider as a process, real files. It
// holds tests only.
//
// Read first: TestQuickstart.
package quickstart
