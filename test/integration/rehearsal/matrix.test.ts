import { beforeAll, describe, expect, it } from 'vitest'
import { rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import { full } from '#test/support/full.ts'
import { faultyHandlers } from '#test/support/rehearsal/faulty/faulty.ts'
import { mutations, type Mutation } from '#test/support/rehearsal/faulty/mutations.ts'
import { correctSteps, header, serveHandler, type Steps } from '#test/support/rehearsal/handler.ts'
import { rehearse, type Rehearsed } from '#test/support/rehearsal/rehearse.ts'

/** Cases that run beside those that must notice a fault, to show that they do not. `REHEARSAL_MATRIX=all` runs all cases. */
const controls = ['G2', 'G7', 'S3', 'S4', 'B8', 'S14']
const all = process.env.REHEARSAL_MATRIX === 'all'
/** Runs of so many handlers wait most of the time. */
const parallel = all ? 8 : full ? 24 : 12
/** Milliseconds. A slow machine must not fail a case. */
const requestTimeout = 60_000
/** Cases that judge the time of responses, which depends on the load of the machine. */
const timingCases = ['T2', 'T4', 'T7', 'T8']
/** A handler for each property that handlers have to get right. The others run in `npm run test:full`. */
const representatives = [
  'does not know LOCATION_UPDATED, and responds with 400',
  'rejects unknown fields',
  'fails without a signature header',
  'compares only the first 8 characters',
  'accepts an empty key for endpoints without a secret',
  'verifies the parsed and re-serialized body',
  'decodes the body as Latin-1',
  'looks up keys of the body in an object literal',
  'does not deduplicate',
  'compares an event with the last one only',
  'requires Content-Length',
  'acts on every method',
]
const tested = full
  ? faultyHandlers
  : faultyHandlers.filter(({ name }) => representatives.includes(name))
const timeout = all ? 900_000 : 240_000
/** `REHEARSAL_SEED` repeats the mutations of a run. */
const seed = Number(process.env.REHEARSAL_SEED ?? (full ? Math.floor(Math.random() * 1e6) : 1))

const idOf = (noticed: string): string => noticed.replace('?', '')

async function runAll<T>(
  tasks: readonly (readonly [name: string, run: () => Promise<T>])[],
): Promise<Map<string, T>> {
  const results = new Map<string, T>()
  const queue = tasks.values()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const [name, run] of queue) results.set(name, await run())
    }),
  )
  return results
}

async function rehearseSteps(
  steps: Partial<Steps>,
  { restarts, ...options }: Parameters<typeof rehearse>[2] & { restarts?: boolean } = {},
): Promise<Rehearsed> {
  await using handler = await serveHandler(steps, { restarts: restarts ?? true })
  return await rehearse(handler.url, handler.observer, { requestTimeout, ...options })
}

it('passes the correct handler in every case', { timeout }, async () => {
  const skip = full ? [] : timingCases
  const { noticed, results, problem, grade } = await rehearseSteps({}, { skip })
  expect({ noticed, problem }).toEqual({ noticed: [], problem: null })
  const ids = rehearsalCases.map(({ id }) => id).filter((id) => !skip.includes(id))
  expect(results.map(({ id }) => id)).toEqual(ids)
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
  let runs: Map<string, Rehearsed>
  beforeAll(async () => {
    runs = await runAll(
      tested.map(({ name, noticedBy, steps, restarts, options }) => {
        const listed = noticedBy.map(idOf)
        const only = options?.requestTimeout ? listed : [...listed, ...controls]
        return [
          name,
          () =>
            rehearseSteps(steps, {
              ...options,
              only: options?.only ?? (all && !options?.requestTimeout ? [] : only),
              restarts: restarts ?? true,
            }),
        ] as const
      }),
    )
  }, timeout)

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

describe(`mutations of the correct handler, REHEARSAL_SEED=${seed}`, () => {
  const mutated: readonly Mutation[] = mutations(seed)
  let runs: Map<string, Rehearsed>
  beforeAll(async () => {
    runs = await runAll(
      mutated.map(({ name, steps, only }) => [
        name,
        () => rehearseSteps(steps, { seed, only: [...only] }),
      ]),
    )
  }, timeout)

  it.each(mutated.map(({ name }) => name))('%s is noticed', (name) => {
    expect(runs.get(name)?.noticed).not.toEqual([])
  })
})
