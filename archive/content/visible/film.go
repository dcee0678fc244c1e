package visible

import (
	"net/url"
	"path"
	"strings"
)

// isPlayer reports whether an address is that of a page that shows a film in a frame of others: /embed/ID, player.example/ID,
// /plugins/video.php?href=….
func isPlayer(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	where, file := path.Split(u.Path)
	if path.Ext(file) != "" { // otherwise it is the name of the film
		where += file
	}
	player := false
	for word := range strings.FieldsFuncSeq(strings.ToLower(u.Host+where), func(r rune) bool { return r < 'a' || r > 'z' }) {
		switch word {
		case "embed", "player", "players", "video", "videos", "film", "films", "youtube", "vimeo", "dailymotion":
			player = true
		case "calendar", "chat", "comment", "comments", "form", "forms", "map", "maps", "poll", "survey", "timeline", "tweet", "widget",
			"widgets":
			return false
		}
		if asideWords[word] {
			return false
		}
	}
	return player
}

// FilmName returns the part of a player's address that identifies the film: the last name of the path or, if that is the player itself,
// what the query names. How it is played varies.
func FilmName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	name, _, _ := strings.Cut(path.Base(u.Path), "&") // youtube.com/v/ID&fs=1
	if name != "/" && name != "." && name != "videoseries" && path.Ext(name) == "" && !isPlayer("/"+name+"/") {
		return name
	}
	query := u.Query()
	for key := range query {
		switch strings.ToLower(key) {
		case "aid", "bvid", "channel", "clip", "href", "id", "list", "media", "mediaid", "oid", "src", "track", "url", "v", "vid",
			"video", "videoid":
		default:
			delete(query, key)
		}
	}
	return name + "?" + query.Encode()
}
