// Package demo writes a small web archive of its own: the site of an invented river observatory as a
// crawler met it from 2008 to 2024. It has what archives have: versions with real edits, identical
// re-crawls (revisits), bits that differ every time without meaning anything, a moved page, a removed
// page whose text lives on elsewhere, a soft 404, failures, two charsets, two directions of writing,
// content and transfer codings, a sound file and a posted form.
//
// [Write] makes the files, the same bytes each time; [Highlights] tells where to look first. Texts and
// pictures are the project's own; the pages stand under site/ as templates with their edits in place.
package demo
