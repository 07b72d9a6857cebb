// Package embed builds a program that embeds the engine the way its authors do, in a
// module of their own, which may import no internal package. It holds tests only.
//
// Read first: TestEmbed.
package embed
