#!/usr/bin/env bash
# fast-json-stringify 7.3.1, which Fastify uses for responses: null is written as an empty text where the schema says `string`, as 0 for `number`,
# and as false for `boolean`, without an error. JSON.stringify writes null, so that a text signed with one does not match the other.
. "$(dirname "$0")/common.sh"
npm_packages fast-json-stringify@7.3.1
cat >main.mjs <<'JS'
import build from 'fast-json-stringify'
const type = (name) => ({ type: name })
const properties = { note: type('string'), total: type('number'), paid: type('boolean'), at: { type: ['string', 'null'] } }
console.log(build({ type: 'object', properties })({ note: null, total: null, paid: null, at: null }))
JS
expect '{"note":"","total":0,"paid":false,"at":null}' "$(node main.mjs)"
