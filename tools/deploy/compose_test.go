package deploy_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

func number(n int32) string { return strconv.Itoa(int(n)) }

// The loader checks the file against Compose's own schema, and that what services name is there.
func TestTheComposeFile(t *testing.T) {
	for _, c := range []struct {
		profiles []string
		services []string
	}{
		{nil, []string{"balancer", "database", "indexer", "search", "server", "storage"}},
		{[]string{"crawl"}, []string{"balancer", "crawler", "database", "indexer", "queue", "search", "server", "storage"}},
	} {
		options, err := cli.NewProjectOptions([]string{filepath.Join(folder, "compose.yaml")}, cli.WithProfiles(c.profiles))
		if err != nil {
			t.Fatal(err)
		}
		project, err := options.LoadProject(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(project.Services)); !slices.Equal(got, c.services) {
			t.Errorf("with profiles %v: %v, want %v", c.profiles, got, c.services)
		}
		for name, s := range project.Services {
			checkComposed(t, name, s)
		}
	}
}

func checkComposed(t *testing.T, name string, s types.ServiceConfig) {
	t.Helper()
	if s.Build != nil && (!s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || s.Environment["VARVE_INDEX"] == nil) {
		t.Errorf("%s may more than it needs, or has no index", name)
	}
	if len(s.Ports) > 0 && s.Build != nil {
		t.Errorf("%s is reached past the balancer", name)
	}
	if s.Build == nil && name != "balancer" && s.HealthCheck == nil {
		t.Errorf("nobody knows when %s is ready", name)
	}
}
