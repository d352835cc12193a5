import { expect, test } from 'vitest'
import type { CallOutput } from '#contract/calls.ts'
import type { Engine } from '#engine/app/engine.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { full } from '#test/support/full.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const tab = sharedTestEngine()

async function listed(engine: Engine, filter: string): Promise<number[]> {
  const ids: number[] = []
  let upTo: number | null = null
  let asOf: number | null = null
  for (;;) {
    const page: CallOutput<'deliveries.page'> = await engine.call('deliveries.page', {
      filter,
      upTo,
      asOf,
      offset: ids.length,
      limit: 500,
    })
    ids.push(...page.rows.map(({ id }) => id))
    ;({ upTo, asOf } = page)
    if (page.complete && page.rows.length === 0) return ids
  }
}

const filters: readonly [string, (body: string) => boolean][] = [
  // Needs the search index, which is updated later.
  ['"even"', (body) => body.includes('even')],
  ['verdict:valid', (body) => body.length > 0],
  ['data.n:>=250 verdict:valid', (body) => Number(/"n":(\d+)/.exec(body)?.[1]) >= 250],
]

test.each(full ? filters : filters.slice(0, 1))(
  'following %s while deliveries arrive loses none and finds none twice',
  async (filter, matches) => {
    const { engine, port, path } = tab()
    const before = (await engine.call('deliveries.page', { upTo: null, offset: 0, limit: 1 })).upTo
    const bodies = Array.from(
      { length: 500 },
      (_, n) => `{"type":"OPEN_TAB","data":{"n":${n},"is":"${n % 2 === 0 ? 'even' : 'odd'}"}}`,
    )
    const expected = bodies.filter(matches).length

    const clients = await Promise.all(Array.from({ length: 4 }, () => rawClient(port)))
    const sending = Promise.all(
      clients.map(async (client, index) => {
        const own = bodies.filter((_, n) => n % clients.length === index)
        for (const [sent, body] of own.entries()) {
          await client.send(post(path, body))
          await client.answers(sent + 1)
        }
      }),
    )
    const found: number[] = []
    let after = before
    await until('all that match', async () => {
      const { rows, upTo } = await engine.call('deliveries.newer', { filter, after, limit: 7 })
      expect(upTo).toBeGreaterThanOrEqual(after)
      for (const { id } of rows) {
        expect(id).toBeGreaterThan(after)
        expect(id).toBeLessThanOrEqual(upTo)
      }
      found.push(...rows.map(({ id }) => id))
      after = upTo
      return found.length >= expected ? true : null
    })
    await sending
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()))
    await engine.catchUp()
    expect(found).toHaveLength(expected)
    expect(new Set(found).size).toBe(expected)
    expect(found).toEqual(found.toSorted((a, b) => a - b))
    const { newestId } = (await engine.call('app.snapshot', {})).stats
    await until('the end', async () => {
      const { rows, upTo } = await engine.call('deliveries.newer', { filter, after, limit: 7 })
      expect(rows).toEqual([])
      after = upTo
      return upTo >= newestId ? true : null
    })
    expect((await listed(engine, filter)).filter((id) => id > before).toReversed()).toEqual(found)
  },
)
