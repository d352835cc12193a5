#!/usr/bin/env bash
# Unpacks the nats-server of Debian 13 (a static program) into the folder $1, without installing it. Uses the package sources of this machine, with the
# suite replaced in a temporary copy. Fails where there is no apt, or it has no such package: then tests of the relay are skipped.
set -euo pipefail
mkdir -p "$1"
to=$(cd "$1" && pwd)
source=/etc/apt/sources.list.d/debian.sources
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/parts" "$work/lists/partial" "$work/archives/partial"
# The first entry: the others are for security updates, whose suites have other names.
sed -E '/^$/q; s/^Suites:.*/Suites: trixie/' "$source" > "$work/parts/debian.sources"
apt=(apt-get -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$work/parts" -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work" -o APT::Sandbox::User=root)
"${apt[@]}" update
cd "$work"
"${apt[@]}" download nats-server
dpkg-deb -x nats-server_*.deb "$work/unpacked"
cp "$(find "$work/unpacked" -type f -name nats-server -perm -u+x)" "$to/"
"$to/nats-server" --version
