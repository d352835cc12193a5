import { beforeAll, describe, expect, it } from 'vitest'
import { rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import { full } from '#test/support/full.ts'
import { faultyHandlers } from '#test/support/rehearsal/faulty/faulty.ts'
import { correctSteps, header, serveHandler, type Steps } from '#test/support/rehearsal/handler.ts'
import { rehearse, type Rehearsed } from '#test/support/rehearsal/rehearse.ts'

/** Cases that run beside those that must notice a fault, to show that they do not. */
const controls = ['G2', 'G7', 'S3', 'S4', 'B8', 'S14']
/** Runs of so many handlers wait most of the time. */
const parallel = full ? 24 : 12
/** Milliseconds. A slow machine must not fail a case. */
const requestTimeout = 60_000
/** A handler for each of the main properties. The others run in `npm run test:full`. */
const representatives = [
  'rejects unknown fields',
  'verifies only deliveries that have a signature',
  'verifies the parsed and re-serialized body',
  'does not deduplicate',
  'acts on every method',
]
const tested = full
  ? faultyHandlers
  : faultyHandlers.filter(({ name }) => representatives.includes(name))

const idOf = (noticed: string): string => noticed.replace('?', '')

async function rehearseSteps(
  steps: Partial<Steps>,
  { restarts, ...options }: Parameters<typeof rehearse>[2] & { restarts?: boolean } = {},
): Promise<Rehearsed> {
  await using handler = await serveHandler(steps, { restarts: restarts ?? true })
  return await rehearse(handler.url, handler.readEffects, { requestTimeout, ...options })
}

it('passes the correct handler in every case', async () => {
  const only = full ? rehearsalCases.map(({ id }) => id) : controls
  const { noticed, results, problem, grade } = await rehearseSteps({}, full ? {} : { only })
  expect({ noticed, problem }).toEqual({ noticed: [], problem: null })
  expect(results.map(({ id }) => id).toSorted()).toEqual(only.toSorted())
  expect(grade).toEqual(full ? { grade: 'A', cappedBy: null } : null)
})

it('passes a correct handler that refuses old events and compressed bodies', async () => {
  const { noticed, problem } = await rehearseSteps(
    {
      async receive(request, response) {
        if (header(request, 'content-encoding') === '') {
          await correctSteps.receive.call(this, request, response)
        } else response.writeHead(415, { Connection: 'close' }).end()
      },
      validate: ({ createdAt }) => Math.abs(Date.now() - Date.parse(createdAt)) < 3600 * 1000,
    },
    { only: ['T10', 'I8'] },
  )
  expect({ noticed, problem }).toEqual({ noticed: [], problem: null })
})

describe('faulty handlers', () => {
  const runs = new Map<string, Rehearsed>()
  beforeAll(async () => {
    const queue = tested.values()
    await Promise.all(
      Array.from({ length: parallel }, async () => {
        for (const { name, noticedBy, steps, restarts, options } of queue) {
          const listed = noticedBy.map(idOf)
          const only = options?.requestTimeout ? listed : [...listed, ...controls]
          runs.set(
            name,
            await rehearseSteps(steps, { only, ...options, restarts: restarts ?? true }),
          )
        }
      }),
    )
  })

  it.each(tested.map((faulty) => [faulty.name, faulty] as const))('%s', (name, { noticedBy }) => {
    const { noticed = [], results = [] } = runs.get(name) ?? {}
    const reasons = results.map(({ id, reason }) => `${id}: ${reason ?? 'passed'}`).join('\n')
    const found = noticed.map((each) => each.replace(/ fail$/, '').replace(/ warn$/, '?'))
    expect(found, reasons).toEqual(noticedBy)
  })

  it('have names of their own, and each case alone fails one of them', () => {
    expect(new Set(faultyHandlers.map(({ name }) => name)).size).toBe(faultyHandlers.length)
    expect(tested.length).toBeGreaterThanOrEqual(representatives.length)
    const alone = new Set(faultyHandlers.map(({ noticedBy }) => noticedBy.join(' ')))
    // Of a case of level INFO, a warning is the worst result.
    const needed = rehearsalCases.map(({ id, level }) => (level === 'INFO' ? `${id}?` : id))
    expect(needed.filter((id) => !alone.has(id))).toEqual([])
  })
})
