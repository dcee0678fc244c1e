package redis

import (
	"embed"

	"github.com/redis/go-redis/v9"
)

//go:embed scripts
var sources embed.FS

// An operation is the name of a script. All scripts begin with common.lua.
type operation string

const (
	join     operation = "join"
	beat     operation = "beat"
	found    operation = "found"
	next     operation = "next"
	slow     operation = "slow"
	holds    operation = "holds"
	done     operation = "done"
	back     operation = "back"
	lose     operation = "lose"
	end      operation = "end"
	state    operation = "state"
	repeated operation = "repeated"
	mended   operation = "mended"
	claim    operation = "claim"
	count    operation = "count"
	restart  operation = "restart"
)

func loadScripts() (map[operation]*redis.Script, error) {
	common, err := sources.ReadFile("scripts/common.lua")
	if err != nil {
		return nil, err
	}
	out := map[operation]*redis.Script{}
	for _, o := range []operation{
		join, beat, found, next, slow, holds, done, back, lose, end, state, repeated, mended, claim, count, restart,
	} {
		source, err := sources.ReadFile("scripts/" + string(o) + ".lua")
		if err != nil {
			return nil, err
		}
		out[o] = redis.NewScript(string(common) + string(source))
	}
	return out, nil
}
