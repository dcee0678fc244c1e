package uses

import (
	"slices"
	"testing"
)

func TestEveryUseIsParsedFromItsModifier(t *testing.T) {
	t.Parallel()
	for u := range Use(count) {
		if got, ok := Parse(u.String()); !ok || got != u {
			t.Errorf("Parse(%q) = %v, %v; want %v", u.String(), got, ok, u)
		}
	}
	for mod, want := range map[string]Use{"ln_": Page, "mt_": Page} {
		if got, ok := Parse(mod); !ok || got != want {
			t.Errorf("Parse(%q) = %v, %v; want %v", mod, got, ok, want)
		}
	}
	if _, ok := Parse("xx_"); ok {
		t.Error("xx_ is known")
	}
}

func TestWhatUsesOfScriptsRunAs(t *testing.T) {
	t.Parallel()
	var modules, workers []Use
	for u := range Use(count) {
		if u.IsModule() {
			modules = append(modules, u)
		}
		if u.IsWorker() {
			workers = append(workers, u)
		}
	}
	if !slices.Equal(modules, []Use{Module, ModuleWorker}) || !slices.Equal(workers, []Use{Worker, ModuleWorker, ServiceWorker}) {
		t.Errorf("modules are %v, workers %v", modules, workers)
	}
}
