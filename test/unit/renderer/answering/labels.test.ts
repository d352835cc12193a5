import { describe, expect, it } from 'vitest'
import {
  defaultForward,
  type ForwardHealth,
  type ForwardTarget,
  type ResponseRule,
} from '#contract/answering.ts'
import { successRate } from '#contract/success-rate.ts'
import {
  isSpent,
  lightOf,
  rulesInEffect,
  ruleInBrief,
  countsLabel,
  usageLabel,
} from '#renderer/features/answering/labels.ts'

const rule: ResponseRule = {
  id: 1,
  endpointId: 1,
  type: 'ORDER_PLACED',
  response: { kind: 'status', status: 500, headers: [], body: '' },
  delayMs: 0,
  when: { kind: 'first', count: 3 },
  enabled: true,
}

describe('the label of a rule', () => {
  it.each<[Partial<ResponseRule>, string]>([
    [{}, '500 for ORDER_PLACED'],
    [{ type: null, delayMs: 1500 }, '500 for all types after 1.5 s'],
    [{ response: { kind: 'drop' }, delayMs: 20 }, 'no response for ORDER_PLACED after 20 ms'],
  ])('%j', (change, words) => {
    expect(ruleInBrief({ ...rule, ...change })).toBe(words)
  })

  it('reports its progress', () => {
    expect(usageLabel(rule, undefined)).toBe('0 of 3')
    expect(usageLabel(rule, { ruleId: 1, matchCount: 7, applied: 3 })).toBe('3 of 3')
    const share = { ...rule, when: { kind: 'share', share: 0.2 } } as const
    expect(usageLabel(share, undefined)).toBe('')
    expect(usageLabel(share, { ruleId: 1, matchCount: 1900, applied: 400 })).toBe(
      '400 of 1,900 so far',
    )
    const always = { ...rule, when: { kind: 'always' } } as const
    expect(usageLabel(always, { ruleId: 1, matchCount: 4, applied: 4 })).toBe('4 so far')
  })
})

describe('whether a rule is in effect', () => {
  it('is active with an enabled rule that changes the response and is not finished', () => {
    expect(rulesInEffect([rule], [])).toEqual([rule])
    expect(rulesInEffect([{ ...rule, enabled: false }], [])).toEqual([])
    const usual: ResponseRule['response'] = { kind: 'status', status: 200, headers: [], body: '' }
    expect(rulesInEffect([{ ...rule, response: usual }], [])).toEqual([])
    expect(rulesInEffect([{ ...rule, response: usual, delayMs: 1 }], [])).toHaveLength(1)
  })

  it('is false once the first N deliveries are handled', () => {
    const spent = { ruleId: 1, matchCount: 5, applied: 3 }
    expect(isSpent(rule, spent)).toBe(true)
    expect(rulesInEffect([rule], [spent])).toEqual([])
    expect(rulesInEffect([rule], [{ ...spent, applied: 2 }])).toEqual([rule])
  })
})

describe('the health of a forward target', () => {
  const forward: ForwardTarget = {
    id: 1,
    endpointId: 1,
    url: 'http://127.0.0.1:3000/',
    ...defaultForward,
    types: [],
    temporary: false,
  }
  const health: ForwardHealth = {
    forwardId: 1,
    state: 'down',
    since: 0,
    waiting: 10,
    inFlight: 2,
    ok: 1200,
    failed: 3,
    skipped: 5312,
    recent: { ok: 97, failed: 3 },
    lastStatus: null,
    lastError: 'Nothing listens at 127.0.0.1:3000.',
    retryAt: null,
  }

  it('is off when turned off, whatever the last result', () => {
    expect(lightOf({ ...forward, enabled: false }, health).light).toBe('off')
    expect(lightOf(forward, health)).toMatchObject({ light: 'down', word: 'No response' })
    expect(lightOf(forward, undefined).light).toBe('idle')
  })

  it('is not good while some recent deliveries failed, even if the last one succeeded', () => {
    const good: ForwardHealth = { ...health, state: 'good', lastStatus: 200, lastError: null }
    expect(lightOf(forward, good)).toMatchObject({ tone: 'missing', word: 'Some failed' })
    const recent = { ok: 100, failed: 0 }
    expect(lightOf(forward, { ...good, recent })).toMatchObject({ tone: 'valid', word: 'Working' })
  })

  it.each([
    [0, 0, null],
    [1, 0, '1 of 1 delivered (100%)'],
    [6, 3, '6 of the last 9 delivered (66%)'],
    [99, 1, '99 of the last 100 delivered (99%)'],
    [0, 4, '0 of the last 4 delivered (0%)'],
  ])('with %d delivered and %d failed has the rate: %s', (ok, failed, words) => {
    expect(successRate({ ...health, recent: { ok, failed } })).toBe(words)
  })

  it('counts in words, and omits zeros', () => {
    expect(countsLabel(health)).toBe('1,200 succeeded, 3 failed, 5,312 skipped, 12 queued')
    expect(countsLabel({ ...health, ok: 0, failed: 0, skipped: 0, waiting: 0, inFlight: 0 })).toBe(
      '',
    )
  })
})
