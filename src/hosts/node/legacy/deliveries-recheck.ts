import { verdicts } from '#contract/verdicts.ts'
import { filterOf } from '../filter-option.ts'
import { changeSession } from '../in-session.ts'
import { idOf, parse } from '../options.ts'
import { say, writeJson, writeLine } from '../output.ts'
import { UsageError } from '../usage-error.ts'

/** As many as one command line may name. */
const mostIds = 1000
const needs = 'deliveries recheck needs the IDs of deliveries or --filter FILTER.'

/**
 * `deliveries recheck ID ... | --filter FILTER`: checks signatures again with the current secrets, and records verdicts that differ. The
 * verdict at arrival is kept.
 */
export async function recheck(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { filter: { type: 'string' } }, mostIds)
  const ids = positionals.map((each) => idOf(needs, each))
  if (ids.length > 0 === (values.filter !== undefined)) {
    throw new UsageError(ids.length > 0 ? 'Give IDs or --filter, not both.' : needs)
  }
  const which = values.filter === undefined ? { ids } : { filter: filterOf(values.filter) }
  return changeSession(values, async (session) => {
    const counts = { valid: 0, invalid: 0, missing: 0, unsigned: 0, unchecked: 0 }
    let changed = 0
    let incomplete = 0
    let page = await session.call('deliveries.recheck', which)
    for (;;) {
      for (const verdict of verdicts) counts[verdict] += page.counts[verdict]
      changed += page.changed
      incomplete += page.incomplete
      if (page.complete) break
      const { reached: after, upTo, asOf } = page
      page = await session.call('deliveries.recheck', { ...which, after, upTo, asOf })
    }
    const checked = verdicts.reduce((sum, verdict) => sum + counts[verdict], 0)
    if (values.json) {
      writeJson({ event: 'rechecked', checked, changed, incomplete, counts })
      return 0
    }
    if (checked + incomplete === 0) {
      say('No delivery was found.')
      return 0
    }
    const each = verdicts
      .filter((verdict) => counts[verdict] > 0)
      .map((verdict) => `${counts[verdict]} ${verdict}`)
    writeLine(`${[`${checked} checked`, ...each].join(', ')}; ${changed} changed`)
    if (incomplete > 0) {
      writeLine(`${incomplete} not checked: the body was not received completely`)
    }
    return 0
  })
}
