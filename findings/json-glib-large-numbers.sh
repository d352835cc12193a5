#!/usr/bin/env bash
# json-glib 1.6.6: reads a valid document, and writes one that is not JSON. `1e21` becomes `1e+21.0`. A whole number of 20 digits becomes a
# negative one without an error, while Jansson refuses it and cJSON rounds it.
. "$(dirname "$0")/common.sh"
command -v cc >/dev/null || { echo 'This finding needs a C compiler.' >&2; exit 2; }
debian libjson-glib-dev=1.6.6-1 libjson-glib-1.0-0=1.6.6-1 libglib2.0-dev libglib2.0-0 libpcre2-8-0 libffi8
cat >main.c <<'C'
#include <json-glib/json-glib.h>
#include <stdio.h>
int main(void) {
  JsonParser *parser = json_parser_new();
  json_parser_load_from_data(parser, "[1e21,12345678901234567890,19.99]", -1, NULL);
  JsonGenerator *generator = json_generator_new();
  json_generator_set_root(generator, json_parser_get_root(parser));
  puts(json_generator_to_data(generator, NULL));
}
C
lib=$(dirname "$(find unpacked -name 'libjson-glib-1.0.so.0' | head -1)")
cc -w main.c -o main -I unpacked/usr/include/json-glib-1.0 -I unpacked/usr/include/glib-2.0 -I "$lib/glib-2.0/include" \
  -L "$lib" -Wl,-rpath-link,"$lib" -ljson-glib-1.0 -lgobject-2.0 -lglib-2.0
expect '[1e+21.0,-6101065172474983726,19.989999999999998]' "$(LD_LIBRARY_PATH="$lib" ./main)"
