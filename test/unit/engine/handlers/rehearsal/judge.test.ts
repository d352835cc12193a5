import { describe, expect, it } from 'vitest'
import type { StatusExpectation } from '#catalogue/rehearsal/define.ts'
import {
  atLevel,
  judgeEffects,
  judgeResponses,
  judgeSameEffects,
  worst,
  type Received,
} from '#engine/handlers/rehearsal/judge.ts'
import { EffectCounter } from '#engine/handlers/rehearsal/effect-counter.ts'
import { parseCount } from '#hosts/node/session/rehearsal-run.ts'
import { instantClock } from '#test/support/rehearsal/instant-clock.ts'

const usual: Parameters<typeof judgeResponses>[2] = { accept: [], acknowledgesFirst: false }
const response = (status: number | null, changes: Partial<Received> = {}): Received => ({
  status,
  error: status === null ? 'Nothing listens at 127.0.0.1:3000.' : null,
  stopped: false,
  closed: false,
  bodySent: true,
  durationMs: 1,
  ...changes,
})
const judged = (expected: StatusExpectation, received: Received, options = usual) =>
  judgeResponses({ name: '', steps: [], expect: expected }, [[received]], options).result

describe('a status', () => {
  it.each([
    ['accept', 200, 'pass'],
    ['accept', 204, 'pass'],
    ['accept', 302, 'fail'],
    ['accept', 401, 'fail'],
    ['accept', null, 'fail'],
    ['reject', 400, 'pass'],
    ['reject', 401, 'pass'],
    ['reject', 204, 'fail'],
    ['reject', 302, 'fail'],
    ['reject', 500, 'fail'],
    ['reject', null, 'fail'],
    ['no-server-error', 200, 'pass'],
    ['no-server-error', 401, 'pass'],
    ['no-server-error', 500, 'fail'],
    ['no-server-error', null, 'fail'],
    ['accept-or-too-large', 200, 'pass'],
    ['accept-or-too-large', 413, 'pass'],
    ['accept-or-too-large', 400, 'fail'],
    ['not-allowed', 404, 'pass'],
    ['not-allowed', 405, 'pass'],
    ['not-allowed', 400, 'warn'],
    ['not-allowed', 200, 'fail'],
    ['not-allowed', 500, 'fail'],
    ['none', null, 'pass'],
    ['none', 500, 'pass'],
  ] as const)('for %s: %s is %s', (expected, status, result) => {
    expect(judged(expected, response(status))).toBe(result)
  })

  it('is accepted if it is declared, and only then', () => {
    const options = { ...usual, accept: [202] }
    expect(judged('accept', response(202), options)).toBe('pass')
    expect(judged('accept', response(200), options)).toBe('fail')
  })

  it('proves nothing if the handler acknowledges first, but an error still does', () => {
    const options = { ...usual, acknowledgesFirst: true }
    expect(judged('reject', response(200), options)).toBe('review')
    expect(judged('reject', response(500), options)).toBe('fail')
    expect(judged('refuse', response(200), options)).toBe('review')
  })

  it('is enough of a handler that acknowledges first where only a response is required', () => {
    const options = { ...usual, acknowledgesFirst: true }
    expect(judged('reject-or-acknowledge', response(200), options)).toBe('pass')
    expect(judged('reject-or-acknowledge', response(500), options)).toBe('fail')
    expect(judged('reject-or-acknowledge', response(200))).toBe('fail')
    expect(judged('reject-or-acknowledge', response(401))).toBe('pass')
  })

  it('of 5xx is a warning where only a rejection is required', () => {
    const variant = { name: '', steps: [], expect: 'reject', serverError: 'warn' } as const
    expect(judgeResponses(variant, [[response(500)]], usual).result).toBe('warn')
    expect(judgeResponses(variant, [[response(200)]], usual).result).toBe('fail')
  })

  it('is not required of a connection that was closed on purpose', () => {
    expect(judged('accept', response(null, { stopped: true }))).toBe('pass')
  })

  it('is judged by the expectation of its step', () => {
    const variant = { name: '', steps: [], expect: ['reject', 'accept'] } as const
    const both = (first: number, second: number) =>
      judgeResponses(variant, [[response(first)], [response(second)]], usual).result
    expect(both(401, 200)).toBe('pass')
    expect(both(200, 200)).toBe('fail')
    expect(both(401, 401)).toBe('fail')
  })
})

describe('a refusal', () => {
  it.each([
    ['401 before the end', response(401, { bodySent: false }), 'pass'],
    ['413 after the end', response(413), 'warn'],
    ['a closed connection', response(null, { closed: true, bodySent: false }), 'pass'],
    ['a timeout', response(null, { bodySent: false }), 'fail'],
    ['204', response(204, { bodySent: false }), 'fail'],
    ['500', response(500, { bodySent: false }), 'fail'],
  ])('of %s', (_name, received, result) => {
    expect(judged('refuse', received)).toBe(result)
  })
})

describe('effects', () => {
  it.each([
    [1, 5, 6, 'pass'],
    [1, 5, 5, 'fail'],
    [1, 5, 7, 'fail'],
    [0, 5, 4, 'fail'],
    [1, null, 6, 'review'],
    [1, 5, null, 'review'],
  ] as const)('%s expected, from %s to %s: %s', (count, from, to, result) => {
    expect(judgeEffects(count, from, to).result).toBe(result)
  })

  it('of two variants without any prove nothing', () => {
    expect(judgeSameEffects(2, 0, 2).result).toBe('pass')
    expect(judgeSameEffects(0, 3, 3).result).toBe('review')
    expect(judgeSameEffects(0, 3, 4).result).toBe('fail')
  })

  it('are read until their number no longer changes, also after it is high enough', async () => {
    const counts = [3, 4, 5]
    let reads = 0
    const read = (): Promise<number> => {
      const count = counts[Math.min(reads, counts.length - 1)] ?? 0
      reads += 1
      return Promise.resolve(count)
    }
    expect(await new EffectCounter(read, instantClock()).after(3)).toBe(5)
  })
})

it('a case of level INFO never fails, and needs no review', () => {
  const results = (['pass', 'fail', 'warn', 'review'] as const).map(
    (result) => atLevel('INFO', { result, reason: result }).result,
  )
  expect(results).toEqual(['pass', 'warn', 'warn', 'pass'])
  expect(atLevel('SHOULD', { result: 'fail', reason: '' }).result).toBe('fail')
})

it('the worst judgement counts, the first of equal ones', () => {
  const list = (['pass', 'warn', 'fail', 'flaky', 'fail', 'review'] as const).map(
    (result, index) => ({ result, index }),
  )
  expect(worst(list)).toEqual({ result: 'fail', index: 2 })
  expect(worst([])).toBeUndefined()
})

describe('an observer', () => {
  it.each([
    ['7', 7],
    [' 12\n', 12],
    ['0', 0],
    ['1.5', 1.5],
  ])('that prints %j is read', (text, count) => {
    expect(parseCount(text)).toBe(count)
  })

  it.each(['', ' ', 'seven', '7 orders', '{"count":7}', 'NaN', 'Infinity'])(
    'that prints %j is refused',
    (text) => {
      expect(() => parseCount(text)).toThrow('one number')
    },
  )
})
