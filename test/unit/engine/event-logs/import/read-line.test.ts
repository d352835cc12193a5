import { expect, it } from 'vitest'
import ndjson from '#engine/event-logs/formats/ndjson.ts'
import type { LogItem } from '#engine/event-logs/items.ts'
import { outOfBounds, readLogLine } from '#engine/event-logs/import/read-line.ts'
import { isObject, parseJson } from '#shared/json/object.ts'
import { logHead } from '#test/support/event-log.ts'
import {
  sampleEndpoint,
  sampleIntegration,
  sampleRun,
  sampleToken,
  written,
} from '#test/support/event-log/sample-log.ts'
import { sampleAttempt, sampleItem } from '#test/support/event-log/sample-item.ts'
import { sampleRehearsal } from '#test/support/event-log/sample-rehearsal.ts'

const at = 1_773_500_000_000
const timings = { dnsMs: 1, connectMs: 1, tlsMs: 1, firstByteMs: 1, totalMs: 2 }
const step = { kind: 'token', at, durationMs: 5, outcome: 'ok', title: 'Sent', timings } as const
const facts = { spot: null, zone: null, amount: 3, items: [], tab: null, order: null, guest: null }

const items: readonly LogItem[] = [
  sampleIntegration,
  sampleEndpoint,
  sampleToken,
  {
    kind: 'run',
    run: {
      ...sampleRun,
      timeoutAt: at,
      steps: [{ ...step, detail: null, facts: [], request: null, response: null }],
    },
  },
  ...sampleRehearsal('plain'),
  sampleItem(
    1,
    '{"type":"ORDER_PLACED"}',
    {
      createdAt: at,
      responseMs: 3,
      recheck: { at, verdictAtArrival: 'invalid' },
      facts: { ...facts, openedAt: at },
    },
    { attempts: [sampleAttempt(1, { timings }, {})] },
  ),
]

function pathsOfNumbers(value: unknown): string[][] {
  if (typeof value === 'number') return [[]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    pathsOfNumbers(each).map((path) => [key, ...path]),
  )
}

function withNumber(value: unknown, [key, ...rest]: readonly string[], number: number): unknown {
  if (key === undefined) return number
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) =>
      String(index) === key ? withNumber(each, rest, number) : each,
    )
  }
  return isObject(value) ? { ...value, [key]: withNumber(value[key], rest, number) } : value
}

it.each([1e300, -1e300])('a number of an event log is not %d, except an amount', (number) => {
  const head = logHead(1, { scope: { ...logHead(1).scope, from: at, to: at } })
  const lines = written(ndjson, items, head).toString().trimEnd().split('\n').map(parseJson)
  const tried: string[] = []
  const accepted: string[] = []
  for (const line of lines) {
    if (!isObject(line)) continue
    expect(readLogLine(line)).toMatchObject({ ok: true })
    for (const path of pathsOfNumbers(line)) {
      const name = `${String(line['kind'])} ${path.join('.')}`
      tried.push(name)
      const changed = withNumber(line, path, number)
      if (isObject(changed) && readLogLine(changed).ok) accepted.push(name)
    }
  }
  expect(tried.length).toBeGreaterThan(60)
  expect(accepted).toEqual(['delivery facts.amount'])
})

it('says which time of a line is out of range', () => {
  const far = { ...logHead(1).scope, from: 1e300 }
  expect(outOfBounds(logHead(1, { scope: far }))).toBe('it has an invalid time (from)')
})
