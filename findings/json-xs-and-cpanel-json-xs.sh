#!/usr/bin/env bash
# JSON::XS 4.04 and Cpanel::JSON::XS 4.35, which has the same interface and is used in its place: the same document, read and written again, is
# another text. JSON::XS writes 385.0 as 385, Cpanel::JSON::XS keeps the fraction, so that a signature over one does not match the other.
. "$(dirname "$0")/common.sh"
command -v perl >/dev/null || { echo 'This finding needs Perl 5.36.' >&2; exit 2; }
debian libjson-xs-perl=4.040-1~deb12u1 libcpanel-json-xs-perl=4.35-1+deb12u1 libcommon-sense-perl libtypes-serialiser-perl
arch=$(dirname "$(dirname "$(find unpacked -path '*/Cpanel/JSON/XS.pm' | head -1)")")
export PERL5LIB="$work/$(dirname "$arch"):$work/unpacked/usr/share/perl5"
write() {
  perl "-M$1" -e 'my $json = shift->new->canonical; print $json->encode($json->decode(shift))' "$1" '{"price":19.99,"total":385.0}'
}
expect '{"price":19.99,"total":385}' "$(write JSON::XS)"
expect '{"price":19.99,"total":385.0}' "$(write Cpanel::JSON::XS)"
