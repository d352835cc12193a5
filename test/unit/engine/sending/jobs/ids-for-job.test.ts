import { expect, it } from 'vitest'
import { idsForJob } from '#engine/sending/jobs/ids-for-job.ts'
import type { Store } from '#engine/app/threads/store.ts'

/** A store with a number of deliveries, every `nth` of which matches, and a search that reads a number of ids at a time. */
function storeOf(deliveries: number, nth: number, span: number, indexedAfter = 0) {
  let asked = 0
  const idsOf = ({ after, upTo, limit }: { after: number; upTo: number; limit: number }) => {
    asked += 1
    const indexed = asked > indexedAfter ? deliveries : Math.floor(deliveries / 2)
    const last = Math.min(upTo, indexed)
    const ids: number[] = []
    let reached = after
    while (reached < Math.min(last, after + span) && ids.length < limit) {
      reached += 1
      if (reached % nth === 0) ids.push(reached)
    }
    return { ids, reached, complete: reached >= last }
  }
  const answers = { stats: () => ({ newestId: deliveries }), idsOf }
  const reader = { call: async (name: keyof typeof answers, input: never) => answers[name](input) }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two calls that are made of it
  return { reader, writer: { call: async () => undefined } } as unknown as Store
}

const asked = { filter: 'any', upTo: null, asOf: 0 }

it('collects all matches over all steps of the search', async () => {
  const ids = await idsForJob(storeOf(1000, 10, 64), asked)
  expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => (index + 1) * 10))
  expect(await idsForJob(storeOf(1000, 10, 64), { ...asked, upTo: 305 })).toHaveLength(30)
})

it('is limited to the maximum size of a job, and reports the number of matches', async () => {
  expect(await idsForJob(storeOf(100_000, 1, 8192), asked)).toHaveLength(100_000)
  await expect(idsForJob(storeOf(250_001, 1, 8192), asked)).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringMatching(/250,001 deliveries match.*100,000/),
  })
})

it('waits for a search index that is behind', async () => {
  expect(await idsForJob(storeOf(100, 1, 8192, 3), asked)).toHaveLength(100)
})

it('reports that nothing matches', async () => {
  await expect(idsForJob(storeOf(100, 101, 8192), asked)).rejects.toMatchObject({
    code: 'not_found',
    message: 'No delivery matches the filter.',
  })
})
