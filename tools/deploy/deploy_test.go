package deploy_test

import (
	"bytes"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

const folder = "../../docs/deploy"

var update = flag.Bool("update", false, "write docs/deploy/kubernetes.yaml anew")

// rendered returns what a release of the chart called "varve" is made of, as one document after another.
func rendered(values chartutil.Values) (string, error) {
	chart, err := loader.Load(filepath.Join(folder, "helm"))
	if err != nil {
		return "", err
	}
	all, err := chartutil.ToRenderValues(chart, values, chartutil.ReleaseOptions{Name: "varve", Namespace: "default", Revision: 1}, nil)
	if err != nil {
		return "", err
	}
	files, err := engine.Render(chart, all)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if content := strings.TrimSpace(files[name]); strings.HasSuffix(name, ".yaml") && content != "" {
			out.WriteString("---\n" + content + "\n")
		}
	}
	return out.String(), nil
}

// objects decodes documents. Fields that Kubernetes doesn't know, and those that are there twice, are errors.
func objects(t *testing.T, documents string) (all []runtime.Object) {
	t.Helper()
	options := json.SerializerOptions{Yaml: true, Strict: true}
	strict := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, options)
	split := yaml.NewDocumentDecoder(io.NopCloser(strings.NewReader(documents)))
	defer split.Close()
	buf := make([]byte, 1<<20)
	for {
		n, err := split.Read(buf)
		if err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		doc := bytes.TrimSpace(buf[:n])
		o, _, err := strict.Decode(doc, nil, nil)
		if err != nil {
			t.Errorf("%v in\n%s", err, doc)
			continue
		}
		all = append(all, o)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func valuesOf(t *testing.T, text string) chartutil.Values {
	t.Helper()
	values, err := chartutil.ReadValues([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func TestTheManifestIsTheChartWithItsExample(t *testing.T) {
	got, err := rendered(valuesOf(t, read(t, "helm-values.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	got = "# The chart in helm with helm-values.yaml, to be applied without Helm, on the engines of engines.yaml.\n" +
		"# go test -C tools/deploy . -update writes it.\n" + strings.TrimPrefix(got, "---\n")
	if *update {
		if err := os.WriteFile(filepath.Join(folder, "kubernetes.yaml"), []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got != read(t, "kubernetes.yaml") {
		t.Error("kubernetes.yaml is not what the chart gives: go test -C tools/deploy . -update")
	}
}

func TestWhatTheChartMakes(t *testing.T) {
	for _, c := range []struct {
		name, values string
		kinds        string
		refused      string
	}{
		{
			"servers with a secret that is there", "secret: {existing: mine}",
			"Deployment PodDisruptionBudget Service", "",
		},
		{
			"one server", "secret: {values: {VARVE_INDEX: 'postgres://d/a'}}\nservers: {replicas: 1, drain: 5s, args: [--no-search]}",
			"Deployment Secret Service", "",
		},
		{
			"indexers", "secret: {existing: mine}\nindexers: {replicas: 4, paths: ['s3://a', 's3://b/c']}",
			"Deployment Deployment PodDisruptionBudget Service", "",
		},
		{
			"crawlers", "secret: {existing: mine}\ncrawlers: {replicas: 3, name: river, warcs: 's3://a', file: 'seeds: [https://river.example/]'}",
			"ConfigMap Deployment Job PodDisruptionBudget Service", "",
		},
		{"no index", "{}", "", "VARVE_INDEX in secret.values"},
		{"crawlers without a file", "secret: {existing: mine}\ncrawlers: {replicas: 1, name: river, warcs: 's3://a'}", "", "crawlers.file"},
		{"crawlers without a name", "secret: {existing: mine}\ncrawlers: {replicas: 1}", "", "crawlers.name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := rendered(valuesOf(t, c.values))
			if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) {
				t.Fatal(err)
			}
			if err != nil {
				return
			}
			all := objects(t, text)
			var kinds []string
			for _, o := range all {
				kinds = append(kinds, o.GetObjectKind().GroupVersionKind().Kind)
			}
			slices.Sort(kinds)
			if got := strings.Join(kinds, " "); got != c.kinds {
				t.Errorf("kinds %s, want %s", got, c.kinds)
			}
			check(t, all, "mine")
		})
	}
}

func TestTheManifests(t *testing.T) {
	for name, least := range map[string]int{"kubernetes.yaml": 7, "engines.yaml": 8} {
		all := objects(t, read(t, name))
		if len(all) < least {
			t.Errorf("%s: %d objects", name, len(all))
		}
		check(t, all)
	}
}

// A pod is the template of pods that an object has.
type pod struct {
	of     string
	labels map[string]string
	spec   core.PodSpec
	claims []core.PersistentVolumeClaim
}

// podsOf returns the templates of pods. Objects have to select their own.
func podsOf(t *testing.T, all []runtime.Object) (pods []pod) {
	t.Helper()
	add := func(of string, selects map[string]string, template core.PodTemplateSpec, claims []core.PersistentVolumeClaim) {
		pods = append(pods, pod{of, template.Labels, template.Spec, claims})
		if !labels.SelectorFromSet(selects).Matches(labels.Set(template.Labels)) {
			t.Errorf("%s selects %v and has pods with %v", of, selects, template.Labels)
		}
	}
	for _, o := range all {
		switch o := o.(type) {
		case *apps.Deployment:
			add(o.Name, o.Spec.Selector.MatchLabels, o.Spec.Template, nil)
		case *apps.StatefulSet:
			add(o.Name, o.Spec.Selector.MatchLabels, o.Spec.Template, o.Spec.VolumeClaimTemplates)
		case *batch.Job:
			add(o.Name, nil, o.Spec.Template, nil)
		}
	}
	return pods
}

// check reports what can't work: volumes, ports, secrets and pods that are named and not there. there are secrets from elsewhere.
func check(t *testing.T, all []runtime.Object, there ...string) {
	t.Helper()
	for _, o := range all {
		switch o := o.(type) {
		case *core.Secret:
			there = append(there, o.Name)
		case *core.ConfigMap:
			there = append(there, o.Name)
		}
	}
	pods := podsOf(t, all)
	for _, p := range pods {
		checkPod(t, p, there)
	}
	for _, o := range all {
		if s, ok := o.(*core.Service); ok {
			checkService(t, s, pods)
		}
	}
}

func checkPod(t *testing.T, p pod, there []string) {
	t.Helper()
	volumes := map[string]bool{}
	for _, c := range p.claims {
		volumes[c.Name] = true
	}
	for _, v := range p.spec.Volumes {
		volumes[v.Name] = true
		if v.ConfigMap != nil && !slices.Contains(there, v.ConfigMap.Name) {
			t.Errorf("%s: there is no ConfigMap %s", p.of, v.ConfigMap.Name)
		}
	}
	for _, c := range p.spec.Containers {
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("%s: there is no volume %s", p.of, m.Name)
			}
		}
		for _, e := range c.EnvFrom {
			if !slices.Contains(there, e.SecretRef.Name) {
				t.Errorf("%s: there is no Secret %s", p.of, e.SecretRef.Name)
			}
		}
		for _, probe := range []*core.Probe{c.StartupProbe, c.LivenessProbe, c.ReadinessProbe} {
			if probe != nil && probe.HTTPGet != nil && !listens(c, probe.HTTPGet.Port.String()) {
				t.Errorf("%s: a probe asks port %s", p.of, probe.HTTPGet.Port.String())
			}
		}
		if c.Name == "varve" {
			checkVarve(t, p, c)
		}
	}
}

func listens(c core.Container, port string) bool {
	return slices.ContainsFunc(c.Ports, func(p core.ContainerPort) bool {
		return p.Name == port || port == number(p.ContainerPort)
	})
}

// checkVarve reports what a container of varve may that it needn't, and probes that ask for something else than they should.
func checkVarve(t *testing.T, p pod, c core.Container) {
	t.Helper()
	inPod, own := p.spec.SecurityContext, c.SecurityContext
	switch {
	case inPod == nil || own == nil, inPod.RunAsNonRoot == nil || !*inPod.RunAsNonRoot, inPod.SeccompProfile == nil,
		own.ReadOnlyRootFilesystem == nil || !*own.ReadOnlyRootFilesystem,
		own.AllowPrivilegeEscalation == nil || *own.AllowPrivilegeEscalation,
		own.Capabilities == nil || !slices.Equal(own.Capabilities.Drop, []core.Capability{"ALL"}),
		p.spec.AutomountServiceAccountToken == nil || *p.spec.AutomountServiceAccountToken:
		t.Errorf("%s may more than it needs", p.of)
	}
	if c.Args[0] != "serve" {
		return
	}
	asked := func(probe *core.Probe) string {
		if probe == nil || probe.HTTPGet == nil {
			return ""
		}
		return probe.HTTPGet.Path
	}
	if asked(c.StartupProbe) != "/-/healthz" || asked(c.LivenessProbe) != "/-/healthz" {
		t.Errorf("%s: it is asked for something else whether it lives", p.of)
	}
	if ready := asked(c.ReadinessProbe); ready != "/-/readyz" && p.labels["app.kubernetes.io/component"] == "server" {
		t.Errorf("%s: %q is asked whether it is ready", p.of, ready)
	}
}

func checkService(t *testing.T, s *core.Service, pods []pod) {
	t.Helper()
	found := 0
	for _, p := range pods {
		if !labels.SelectorFromSet(s.Spec.Selector).Matches(labels.Set(p.labels)) {
			continue
		}
		found++
		for _, port := range s.Spec.Ports {
			to := port.TargetPort.String()
			if to == "0" {
				to = number(port.Port)
			}
			if !slices.ContainsFunc(p.spec.Containers, func(c core.Container) bool { return listens(c, to) }) {
				t.Errorf("the service %s leads to port %s, where %s doesn't listen", s.Name, to, p.of)
			}
		}
	}
	if found != 1 {
		t.Errorf("the service %s leads to %d kinds of pods", s.Name, found)
	}
}
