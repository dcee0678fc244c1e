package redis

import (
	"embed"

	"github.com/redis/go-redis/v9"
)

//go:embed scripts
var sources embed.FS

// The operations. Each begins with what all have in common.
var (
	join     = load("join")
	beat     = load("beat")
	found    = load("found")
	next     = load("next")
	slow     = load("slow")
	holds    = load("holds")
	done     = load("done")
	back     = load("back")
	lose     = load("lose")
	end      = load("end")
	state    = load("state")
	repeated = load("repeated")
	mended   = load("mended")
	claim    = load("claim")
	count    = load("count")
	restart  = load("restart")
)

// load returns a script. Those that are embedded can be read.
func load(name string) *redis.Script {
	text := ""
	for _, part := range []string{"common", name} {
		source, err := sources.ReadFile("scripts/" + part + ".lua")
		if err != nil {
			panic(err)
		}
		text += string(source)
	}
	return redis.NewScript(text)
}
