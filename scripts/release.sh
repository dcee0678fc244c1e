#!/bin/bash
# Builds a release into dist/: for each system a static binary and a list of its components (CycloneDX), the licence, and the
# checksums of them all. The same commit and Go version give the same bytes wherever and whenever they are built;
# scripts/reproduce.sh checks this.
# TARGETS="linux/amd64 …" builds for these systems only.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/client.sh
if ! [ -f static/dist/wombat.js ]; then
	echo "varve: a release has the client-side runtime in it: install npm" >&2
	exit 1
fi

flags=$(scripts/ldflags.sh)
version=$(sed -n 's/.*main\.release=\([^ ]*\).*/\1/p' <<<"$flags")
: "${version:?no git and no RELEASE to name the version}"

rm -rf dist
mkdir dist
go build -C tools -o ../bin/sbom ./sbom
for target in ${TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}; do
	os=${target%/*} arch=${target#*/}
	name=varve_${version}_${os}_$arch
	binary=dist/$name
	[ "$os" = windows ] && binary+=.exe
	echo "varve: $binary"
	# These change the bytes, so they are fixed: the oldest processor of each architecture that Go supports.
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch GOAMD64=v1 GOARM64=v8.0 GOFLAGS= \
		go build -trimpath -buildvcs=false -ldflags "$flags" -o "$binary" ./cmd/varve
	bin/sbom "$binary" "$version" static/package-lock.json >"dist/$name.cdx.json"
done
cp LICENSE dist/
(cd dist && sha256sum -- * >SHA256SUMS)
