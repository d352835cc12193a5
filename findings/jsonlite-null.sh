#!/usr/bin/env bash
# jsonlite 1.8.4 of R: `toJSON(fromJSON(text), auto_unbox = TRUE)` does not write what it read: a member that is null becomes an empty object.
. "$(dirname "$0")/common.sh"
command -v Rscript >/dev/null || { echo 'This finding needs R 4.2.' >&2; exit 2; }
debian r-cran-jsonlite=1.8.4+dfsg-1
write() { R_LIBS="$work/unpacked/usr/lib/R/site-library" Rscript --vanilla -e "cat(jsonlite::toJSON(jsonlite::fromJSON('{\"a\":null,\"b\":[],\"c\":{}}')$1))"; }
expect '{"a":{},"b":[],"c":{}}' "$(write ', auto_unbox = TRUE')"
