{{- define "varve.secret" -}}
{{- if .Values.secret.existing -}}
{{- .Values.secret.existing -}}
{{- else -}}
{{- required "secret.existing, or VARVE_INDEX in secret.values, is needed" .Values.secret.values.VARVE_INDEX | trunc 0 -}}
{{- .Release.Name -}}
{{- end -}}
{{- end -}}

{{- /* The name and the labels of a part of the release: dict "root" $ "part" "server". */ -}}
{{- define "varve.name" -}}
{{ printf "%s-%s" .root.Release.Name .part | trunc 63 | trimSuffix "-" }}
{{- end -}}
{{- define "varve.selector" -}}
app.kubernetes.io/name: varve
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}
{{- define "varve.labels" -}}
{{ include "varve.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "varve-%s" .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- /* The container of a part: dict "root" $ "part" "server" "settings" .Values.servers "args" list. */ -}}
{{- define "varve.container" -}}
name: varve
image: {{ printf "%s:%s" .root.Values.image.repository (.root.Values.image.tag | default .root.Chart.AppVersion) | quote }}
args: {{ .args | toJson }}
envFrom: [{secretRef: {name: {{ include "varve.secret" .root }}}}]
env:
  - {name: VARVE_CACHE_DIR, value: /data/cache}
  {{- range $name, $value := .root.Values.env }}
  - {name: {{ $name }}, value: {{ $value | quote }}}
  {{- end }}
securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
resources: {{ .settings.resources | toJson }}
{{- end -}}
{{- define "varve.security" -}}
{runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532, seccompProfile: {type: RuntimeDefault}}
{{- end -}}
