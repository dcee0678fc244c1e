package main

import (
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

// nameVariables lets flags with the setting tag also be set by environment variables. Other flags have none: an action for one call, such
// as --version or --stop, must not come from an environment that somebody else set up.
func nameVariables(k *kong.Kong) error {
	return kong.Visit(k.Model.Node, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok && flag.Tag.Has("cfg") {
			flag.Envs = []string{variableOf(flag.Name)}
			// An empty variable says nothing: compose files make it of one that isn't set.
			if value, set := os.LookupEnv(flag.Envs[0]); !set || value != "" {
				flag.Tag.Envs = flag.Envs
			}
		}
		return next(nil)
	})
}

// variableOf returns the variable of a flag: --s3-endpoint has VARVE_S3_ENDPOINT.
func variableOf(flag string) string {
	return "VARVE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
