package planner

// effective is the configuration with what ignore_changes names taken from the
// prior state.
func (l *line) effective(d Desired, prior Refreshed) Desired {
	v, marks := l.site.Resource.Effective(l.schema.Block, d.value, d.marks, prior.value, prior.marks)
	return Desired{v, marks}
}
