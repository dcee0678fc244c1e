#!/bin/sh
# Builds the nodes with which the tests of --search-engine run, in bin/opensearch and bin/elasticsearch: what tools/opensearch/pom.xml names
# from Maven's packages, and the small program there that starts a node, unless they are built. It needs Java 17 and Maven, and takes half a
# minute once.
set -eu
cd "$(dirname "$0")/.."

for tool in java javac mvn; do
	command -v "$tool" >/dev/null || { echo "opensearch: $tool is missing; the tests that need a real one are skipped" >&2; exit 3; }
done
for engine in opensearch elasticsearch; do
	[ "bin/$engine/TestNode.class" -nt tools/opensearch/pom.xml ] && [ "bin/$engine/TestNode.class" -nt tools/opensearch/TestNode.java ] && continue
	mkdir -p "bin/$engine"
	mvn -B -q -f tools/opensearch/pom.xml -P "$engine" dependency:copy-dependencies -DoutputDirectory="$PWD/bin/$engine/lib"
	sed "s/org\.opensearch/org.$engine/" tools/opensearch/TestNode.java >"bin/$engine/TestNode.java"
	javac -nowarn -cp "bin/$engine/lib/*" -d "bin/$engine" "bin/$engine/TestNode.java"
done
