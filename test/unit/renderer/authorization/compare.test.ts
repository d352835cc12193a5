import { expect, it } from 'vitest'
import { compareRuns } from '#renderer/features/authorization/runs/Comparison.tsx'
import { run, step } from './samples.ts'

const request = {
  method: 'POST',
  url: 'http://service.test/api/oauth/token',
  headers: [['Accept', 'application/json']] as [string, string][],
  body: '{"code":"«code»"}',
}

function answer(status: number, headers: [string, string][], body: string) {
  return {
    status,
    statusText: status === 200 ? 'OK' : 'Bad Request',
    httpVersion: '1.1',
    headers,
    body,
    bytes: body.length,
    truncated: false,
  }
}

/** A run with a unique state in its URL and its facts. */
function begun(id: number, state: string) {
  const url = `http://service.test/manager/oauth?state=${state}`
  return run(
    id,
    [
      step('opened', {
        at: id * 1000,
        took: id,
        facts: [{ name: 'state', value: state }],
        request: { ...request, url },
      }),
      step('answer', { answer: answer(200, [['Date', `day ${id}`]], '{}') }),
    ],
    { authorizeUrl: url },
  )
}

function facts(values: string[]) {
  return values.map((value) => ({ name: 'code', value }))
}

it('treats runs as equal if only times, states and Date headers differ', () => {
  const pairs = compareRuns(begun(1, 'state-one'), begun(2, 'state-two'))
  expect(pairs.map(({ differences }) => differences)).toEqual([[], []])
})

it('lists each difference with both values', () => {
  const left = run(1, [
    step('answer', {
      outcome: 'failed',
      request,
      answer: answer(400, [['X-Trace', '1']], '{"error":1}'),
    }),
  ])
  const right = run(2, [
    step('answer', {
      request: { ...request, headers: [['accept', 'text/html']] },
      answer: answer(200, [], '{"token":"«access_token»"}'),
    }),
  ])
  expect(compareRuns(left, right)[0]?.differences).toEqual([
    { what: 'Result', left: 'failed', right: 'ok' },
    { what: 'Sent accept', left: 'application/json', right: 'text/html' },
    { what: 'Status', left: '400 Bad Request', right: '200 OK' },
    { what: 'Received x-trace', left: '1', right: null },
    { what: 'Body received', left: '{"error":1}', right: '{"token":"«access_token»"}' },
  ])
})

it('aligns steps by kind, with an additional page and an early end', () => {
  const left = run(1, [step('opened'), step('hop'), step('hop'), step('returned'), step('state')])
  const right = run(2, [step('opened'), step('hop'), step('returned')])
  const kinds = compareRuns(left, right).map((pair) => [pair.left?.kind, pair.right?.kind])
  expect(kinds).toHaveLength(5)
  expect(kinds.filter(([a, b]) => a === b)).toEqual([
    ['opened', 'opened'],
    ['hop', 'hop'],
    ['returned', 'returned'],
  ])
  expect(kinds.at(-1)).toEqual(['state', undefined])
})

it('combines two values with the same name', () => {
  const pairs = compareRuns(
    run(1, [step('returned', { facts: facts(['a']) })]),
    run(2, [step('returned', { facts: facts(['a', 'b']) })]),
  )
  expect(pairs[0]?.differences).toEqual([{ what: 'code', left: 'a', right: 'a\nb' }])
})
