import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { expect, test } from 'vitest'
import type { LogAttemptLine } from '#contract/event-log.ts'
import type { ImportShape } from '#engine/event-logs/import/messages.ts'
import { heapLimits } from '#engine/platform/heap-limits.ts'
import { PendingDelivery } from '#engine/event-logs/import/pending-delivery.ts'
import { Task } from '#engine/platform/task.ts'
import { builtThreads } from '#test/support/engine.ts'
import { logDelivery, logHead } from '#test/support/event-log.ts'
import { partialDouble } from '#test/support/partial-double.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const MiB = 1024 * 1024

/** Runs an import thread with its limits, which must not end it. */
async function imported(pieces: Iterable<string>): Promise<{ end: unknown; peak: number }> {
  const folder = tempFolder()
  const file = path.join(folder, 'hostile')
  const stream = createWriteStream(file)
  for (const piece of pieces) if (!stream.write(piece)) await once(stream, 'drain')
  stream.end()
  await finished(stream)

  let peak = 0
  const before = process.memoryUsage().rss
  const looking = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss - before)
  }, 10)
  const task = new Task<ImportShape>({
    entry: builtThreads.importer,
    limits: heapLimits.importer,
    input: { path: file, copy: null, name: 'hostile', part: path.join(folder, 'part') },
    reports: { progress: () => undefined },
  })
  const end = await task.ended
  clearInterval(looking)
  return { end, peak }
}

const values = (count: number): string => `{"x":[${'{},'.repeat(count)}{}]}`

function* har(entries: Iterable<string>): Generator<string> {
  yield '{"log":{"version":"1.2","entries":['
  let isFirst = true
  for (const entry of entries) {
    yield isFirst ? entry : `,${entry}`
    isFirst = false
  }
  yield ']}}'
}

/** An entry of another tool with JSON as its body. */
const withBody = (text: string): string =>
  JSON.stringify({
    startedDateTime: '2026-03-14T22:00:00.000Z',
    request: { method: 'POST', url: 'http://localhost/', headers: [], postData: { text } },
    response: { status: 200 },
  })

test.each([
  ['a line of 10 million objects', [`${JSON.stringify(logHead(1))}\n`, `${values(10_000_000)}\n`]],
  ['an entry whose body is JSON of 21 million objects', har([withBody(values(21_000_000))])],
])('%s fits in the memory of the thread', async (_what, pieces) => {
  const { end, peak } = await imported(pieces)
  expect(end).not.toMatchObject({ error: { code: 'ERR_WORKER_OUT_OF_MEMORY' } })
  expect(peak).toBeLessThan(3000 * MiB)
})

test('a delivery with endless attempts or parts uses no more memory than any other', () => {
  const line = {
    ...logDelivery(1),
    body: { parts: 1_000_000_000, key: 0 },
    moreAttempts: 1_000_000,
  }
  const attempt = { delivery: 1, attempt: { requestBody: null, answerBody: null } }
  const pending = new PendingDelivery(line)
  const take = (bytes: number): string | null =>
    pending.addAttempt(partialDouble<LogAttemptLine>(attempt), bytes)
  expect(take(100 * MiB)).toBeNull()
  expect(take(100 * MiB)).toBe('the attempts are larger than 128 MiB')

  const part = (index: number): string | null =>
    pending.addPart({ kind: 'part', delivery: 1, key: 0, index, base64: '' })
  let index = 0
  while (index < 1_000_000 && part(index) === null) index += 1
  expect(index).toBe(262_144)
  expect(part(index)).toBe('the body is larger than 1 GiB')
})
