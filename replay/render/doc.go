// Package render makes pictures of mementos: it opens them in Chromium from varve's own replay.
//
// [Start] returns a [Renderer], which is one browser and one listener on this machine. The listener is the browser's proxy: it serves
// requests to the replay from the given [http.Handler], and answers all others with 404. So archived pages reach nothing but the archive,
// whatever their scripts try. [Renderer.Render] shows one memento with a fixed clock, fixed random numbers and no animations, and returns
// facts about it and its image, within limits of time, memory and height.
//
// The package stores nothing. Package archive/visual does.
package render
