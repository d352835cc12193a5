import { parseFilter } from '#contract/filter/parse.ts'
import { AppError } from '../errors.ts'
import { prepare, type Db } from '../store/driver.ts'
import { compileFilter, type CompiledFilter } from './compile.ts'
import { endingsOf } from './endings.ts'
import { addFunctions } from './functions.ts'

/**
 * Reads and compiles a filter for a connection. `asOf`: milliseconds since the epoch, from which `since:2h` counts back. Throws
 * `bad_filter`, with `from` and `to` in its details: the characters that are wrong.
 */
export function readFilter(db: Db, text: string, asOf: number): CompiledFilter {
  const parsed = parseFilter(text)
  if (!parsed.ok) {
    const { from, to, message } = parsed.error
    throw new AppError('bad_filter', message, { details: { from, to } })
  }
  addFunctions(db)
  const endpoints = prepare<
    [],
    { id: number; name: string; slug: string; integrationId: number; integrationName: string }
  >(
    db,
    `SELECT endpoint.id, endpoint.name, slug, integration_id AS integrationId, integration.name AS integrationName
     FROM endpoint JOIN integration ON integration.id = integration_id`,
  )
    .all()
    .map(({ integrationId, integrationName, ...endpoint }) => ({
      ...endpoint,
      integration: { id: integrationId, name: integrationName },
    }))
  return compileFilter(parsed.filter, {
    asOf,
    endpoints,
    endings: (text) => endingsOf(db, text),
  })
}
