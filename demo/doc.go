// Package demo writes a small sample web archive: the site of an invented river observatory, as a crawler captured it from 2008 to 2024.
// It has what real archives have: versions with real edits, identical re-crawls (revisits), details that differ every time without
// meaning anything, a moved page, a removed page whose text survives elsewhere, a soft 404, failures, two charsets, two writing
// directions, content and transfer codings, a sound file and a posted form.
//
// [Write] writes the files, with the same bytes each time. [Highlights] says where to look first. Texts and pictures belong to the
// project; the pages are templates under site/ that contain their edits.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package demo
