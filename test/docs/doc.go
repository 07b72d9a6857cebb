// Package docs holds the pages of documentation to what they speak of: links lead
// somewhere, paths exist, and every promise on docs/lifecycle.md is kept by rows and
// tests that are there.
//
// It must never write a page: tables are made by the packages that own them.
//
// Read first: TestLifecycle.
package docs
