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
const parallel = all ? 8 : 24
const timeout = all ? 900_000 : 240_000
/** `REHEARSAL_SEED` repeats the mutations of a run. */
const seed = Number(process.env.REHEARSAL_SEED ?? (full ? Math.floor(Math.random() * 1e6) : 1))

const idOf = (noticed: string): string => noticed.replace('?', '')

/** Runs tasks in parallel, and returns their results by name. */
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
  return await rehearse(handler.url, handler.oracle, options)
}

it('passes the correct handler in every case', { timeout }, async () => {
  const { noticed, results, problem, grade } = await rehearseSteps({})
  expect({ noticed, problem }).toEqual({ noticed: [], problem: null })
  expect(results.map(({ id }) => id)).toEqual(rehearsalCases.map(({ id }) => id))
  expect(grade).toEqual({ grade: 'A', cappedBy: null })
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
      faultyHandlers.map(({ name, noticedBy, steps, restarts, options }) => {
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

  it.each(faultyHandlers.map((faulty) => [faulty.name, faulty] as const))(
    '%s',
    (name, { noticedBy }) => {
      const { noticed = [], results = [] } = runs.get(name) ?? {}
      const reasons = results.map(({ id, reason }) => `${id}: ${reason ?? 'passed'}`).join('\n')
      const found = noticed.map((each) => each.replace(/ fail$/, '').replace(/ warn$/, '?'))
      expect(found, reasons).toEqual(noticedBy)
    },
  )

  it('are at least 60, with a name of their own', () => {
    expect(new Set(faultyHandlers.map(({ name }) => name)).size).toBe(faultyHandlers.length)
    expect(faultyHandlers.length).toBeGreaterThanOrEqual(60)
  })

  it.each(rehearsalCases.map(({ id, level }) => [id, level] as const))(
    '%s alone fails one of them',
    (id, level) => {
      // Of a case of level INFO, a warning is the worst result.
      const alone = level === 'INFO' ? `${id}?` : id
      const by = faultyHandlers.filter(({ noticedBy }) => noticedBy.join(' ') === alone)
      expect(by.map(({ name }) => name)).not.toEqual([])
    },
  )
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
