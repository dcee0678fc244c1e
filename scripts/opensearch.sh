#!/bin/sh
# Builds the node of OpenSearch with which the tests of --search-engine run, in bin/opensearch: what tools/opensearch/pom.xml names from
# Maven's packages, and the small program there that starts a node. It needs Java 17 and Maven, and takes a minute once.
set -eu
cd "$(dirname "$0")/.."

for tool in java javac mvn; do
	command -v "$tool" >/dev/null || { echo "opensearch: $tool is missing; the tests that need a real one are skipped" >&2; exit 3; }
done
mkdir -p bin/opensearch
mvn -B -q -f tools/opensearch/pom.xml dependency:copy-dependencies -DoutputDirectory="$PWD/bin/opensearch/lib"
javac -nowarn -cp 'bin/opensearch/lib/*' -d bin/opensearch tools/opensearch/TestNode.java
