package comparison

// summary summarizes what a diff shows, in one line.
func (d *Difference) summary(t texts) string {
	picture := ""
	if len(d.Pictures) > 0 {
		picture = t.OtherPicture
	}
	return t.List(
		t.Some(t.DeletedWords, d.Deleted), t.Some(t.AddedWords, d.Added), t.Some(t.MovedWords, d.Moved), picture, d.Similarity.Alike(t),
	)
}
