// Package render makes pictures of mementos: it has Chromium show them from varve's own replay.
//
// [Start] returns a [Renderer], which is one browser and one listener on this machine. That listener is the browser's proxy: it answers
// what is asked of the replay from the [http.Handler] that it was given, and everything else with 404. So no archived page reaches
// anything but the archive, whatever its scripts try. [Renderer.Render] shows one memento with its clock, chance and animations stopped,
// and returns what is to be known of it and its image; it gives every page an end: of time, of memory, of height.
//
// It keeps nothing. Package archive/visual does.
package render
