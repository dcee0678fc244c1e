package follow

// Leave ends a follower as if its process had been killed.
func (f *Follower) Leave() error { return f.writer.Leave() }

// Wake has the loop look again, for clocks that only tests turn.
func (f *Follower) Wake() { f.wake() }
