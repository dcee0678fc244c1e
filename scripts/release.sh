#!/bin/bash
# Builds a release into dist/: for each system an archive of a static binary with licence, changelog and README, and a list of its
# components (CycloneDX); for Linux also packages (.deb, .rpm) and an image for containers as an OCI archive, made without root or a
# daemon; a chart for Helm; and the checksums of them all. SIGN=KEY signs these with that key of GnuPG. The same commit and Go version give the same bytes wherever and whenever they are built;
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
mkdir -p dist bin
when=$(date -u -d "@$(git log -1 --format=%ct 2>/dev/null || echo 0)" +%Y-%m-%dT%H:%M:%SZ)
go build -C tools -o ../bin/sbom ./sbom
go build -C tools/packages -o ../../bin/packages .
build() { # OUT FOLDER PACKAGE
	# GOAMD64 and GOARM64 change the bytes, so they are fixed: the oldest processor of each architecture that Go supports.
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch GOAMD64=v1 GOARM64=v8.0 GOFLAGS= \
		go build -C "$2" -trimpath -buildvcs=false -ldflags "$flags" -o "$PWD/$1" "$3"
}
pack() { # FOLDER. Names, owners and times are those of the commit, so that the same files give the same archive.
	tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX --mtime="$when" -C bin/release -cf - "$1" | gzip -n9
}
for target in ${TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}; do
	os=${target%/*} arch=${target#*/}
	name=varve_${version}_${os}_$arch
	binary=varve
	[ "$os" != windows ] || binary=varve.exe
	echo "varve: $name"
	mkdir -p "bin/release/$name"
	build "bin/release/$name/$binary" . ./cmd/varve
	cp LICENSE README.md CHANGELOG.md "bin/release/$name/"
	bin/sbom "bin/release/$name/$binary" "$version" static/package-lock.json >"dist/$name.cdx.json"
	pack "$name" >"dist/$name.tar.gz"
	if [ "$os" = linux ]; then
		build "bin/release/$name/health" tools ./health
		(cd tools/packages && ../../bin/packages "$version" "$when" "$arch" "../../bin/release/$name/$binary" "../../bin/release/$name/health" ../../dist)
	fi
done

# A chart has a version by semantic versioning; what has no tag is older than all that have one.
number=${version#v}
[[ $number == *.*.* ]] || number=0.0.0-$number
echo "varve: varve-$number.tgz"
mkdir bin/release/varve
cp -r docs/deploy/helm/* bin/release/varve/
sed -i "s/^\(version\|appVersion\): .*/\1: $number/" bin/release/varve/Chart.yaml
pack varve >"dist/varve-$number.tgz"
rm -rf bin/release
cp LICENSE dist/
(cd dist && sha256sum -- * >SHA256SUMS)
[ -z "${SIGN:-}" ] || gpg --batch --yes --local-user "$SIGN" --armor --detach-sign dist/SHA256SUMS
