import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import schemas from 'har-schema'

const load = createRequire(import.meta.url)
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a JSON file of the package
const draft6 = load('ajv/dist/refs/json-schema-draft-06.json') as object

// The schemas contain unknown keywords (`optional`, `min`), which strict mode rejects.
const ajv = new Ajv({ strict: false, allErrors: true })
ajv.addMetaSchema(draft6)
for (const schema of Object.values(schemas)) ajv.addSchema(schema)
formats.default(ajv)

/** Returns violations of the HAR 1.2 schema; empty: valid. */
export function harFaults(archive: unknown): string[] {
  const valid = ajv.validate('har.json#', archive)
  return valid
    ? []
    : (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
