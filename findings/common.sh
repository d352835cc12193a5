# Sourced by the findings. Each works in a temporary folder of its own, which it deletes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Downloads Debian packages, `NAME=VERSION`, and unpacks them into `unpacked`. Nothing is installed.
debian() {
  command -v apt-get >/dev/null || { echo 'This finding needs Debian 12.' >&2; exit 2; }
  apt-get download -q "$@" >/dev/null 2>&1 || { echo "Debian does not have $*: this finding needs Debian 12." >&2; exit 2; }
  for package in *.deb; do dpkg -x "$package" unpacked; rm "$package"; done
}

# Installs npm packages, `NAME@VERSION`.
npm_packages() {
  npm init -y >/dev/null
  npm install --silent --no-audit --no-fund --ignore-scripts "$@" >/dev/null
}

# expect WANTED GOT: exits with 1 unless the behaviour is still the one that was found.
expect() {
  if [ "$1" = "$2" ]; then printf '%s\n' "$2"; else
    printf 'The behaviour has changed.\nexpected: %s\ngot:      %s\n' "$1" "$2" >&2
    exit 1
  fi
}
