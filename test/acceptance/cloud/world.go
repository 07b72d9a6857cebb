// Package cloud owns the remote system of the acceptance tests: objects by type
// and id, in memory. It must never know of providers.
//
// Invariants:
//
//	W1. Every method may be called from many goroutines.
//	W2. Ids are never given twice.
//
// Read first: [World].
package cloud

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// World is a remote system.
type World struct {
	mu      sync.Mutex
	last    int
	objects map[string]map[string]any
	events  []string
}

// New gives an empty world.
func New() *World { return &World{objects: map[string]map[string]any{}} }

// NewID gives an id for an object of a type.
func (w *World) NewID(kind string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last++
	return fmt.Sprintf("%s-%d", kind, w.last)
}

// Put stores an object in place of the one with its id.
func (w *World) Put(kind, id string, object any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.objects[kind] == nil {
		w.objects[kind] = map[string]any{}
	}
	w.objects[kind][id] = object
}

// Get gives an object, nil where there is none.
func (w *World) Get(kind, id string) any {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.objects[kind][id]
}

// Delete removes an object, if it exists.
func (w *World) Delete(kind, id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.objects[kind], id)
}

// IDs are the ids of all objects of a type, sorted.
func (w *World) IDs(kind string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Sorted(maps.Keys(w.objects[kind]))
}

// Left names every object there is.
func (w *World) Left() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(w.objects)) {
		for _, id := range slices.Sorted(maps.Keys(w.objects[kind])) {
			out = append(out, kind+" "+id)
		}
	}
	return out
}

// Happen takes note of something that leaves no object.
func (w *World) Happen(event string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, event)
}

// Events are what happened, in order.
func (w *World) Events() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.events)
}
