#!/usr/bin/env bash
# json-schema-to-zod 2.8.1: each `$ref` becomes `z.any()` without a warning. A `oneOf` of references, which accepts exactly one of them, then refuses
# every value, since all of them accept it.
. "$(dirname "$0")/common.sh"
npm_packages json-schema-to-zod@2.8.1 zod@4.1.12 sucrase@3.35.0
cat >main.mjs <<'JS'
import { jsonSchemaToZod } from 'json-schema-to-zod'
import { writeFileSync } from 'node:fs'
import { transform } from 'sucrase'
const type = (name) => ({ type: 'object', required: ['type'], properties: { type: { const: name } } })
const schema = { oneOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }], $defs: { A: type('A'), B: type('B') } }
const code = jsonSchemaToZod(schema, { module: 'esm', name: 'Event' })
writeFileSync('made.mjs', transform(code, { transforms: ['typescript'] }).code)
const { Event } = await import('./made.mjs')
console.log(Event.safeParse({ type: 'A' }).success)
JS
expect 'false' "$(node main.mjs)"
