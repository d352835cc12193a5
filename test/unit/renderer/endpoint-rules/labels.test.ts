import { healthOf } from '#pages/setup/endpoints/EndpointLine.tsx'
import { describe, expect, it } from 'vitest'
import {
  defaultForward,
  type ForwardHealth,
  type ForwardTarget,
  type ResponseRule,
} from '#contract/endpoint-rules.ts'
import type { SecretView } from '#contract/models.ts'
import { isSpent, lightOf, rulesInEffect } from '#pages/setup/endpoints/labels.ts'

const rule: ResponseRule = {
  id: 1,
  endpointId: 1,
  type: 'ORDER_PLACED',
  response: { kind: 'status', status: 500, headers: [], body: '' },
  delayMs: 0,
  when: { kind: 'first', count: 3 },
  enabled: true,
}

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
    expect(lightOf(forward, good)).toMatchObject({ tone: 'warning', word: 'Some failed' })
    const recent = { ok: 100, failed: 0 }
    expect(lightOf(forward, { ...good, recent })).toMatchObject({ tone: 'valid', word: 'Working' })
  })
})

it('names the most urgent problem of an endpoint', () => {
  const secret = { set: true, ending: 'abcd', unavailable: false }
  const none = { ...secret, set: false, ending: null }
  const word = (
    own: SecretView,
    verdict: 'valid' | 'invalid' | 'missing' | null,
    forwards: Parameters<typeof healthOf>[2] = null,
    rules: Parameters<typeof healthOf>[3] = null,
    handler: number | null = null,
  ): string =>
    healthOf(
      { secret: own, previousSecret: none },
      {
        endpointId: 1,
        last: verdict === null ? null : { id: 1, receivedAt: 0, verdict, handler },
        tenMinutes: 0,
      },
      forwards,
      rules,
    ).word
  const rule = { tone: 'warning', word: 'Returns 503 by rule' } as const
  expect(word(secret, null)).toBe('Waiting for a delivery')
  expect(word(secret, 'valid')).toBe('Working')
  expect(word(secret, 'valid', null, null, 200)).toBe('Working')
  expect(word(secret, 'valid', null, rule, 401)).toBe('Handler responded with 401')
  expect(word(secret, 'valid', null, null, 0)).toBe('Handler did not respond')
  expect(word(secret, 'valid', null, rule)).toBe('Returns 503 by rule')
  expect(word(secret, 'invalid', null, rule)).toBe('Signature invalid')
  expect(word(none, null)).toBe('No secret')
  expect(word(none, null, { tone: 'invalid', word: 'Down' })).toBe('Down')
  expect(word({ ...secret, whiteSpaceAtEnds: true as const }, 'valid')).toBe(
    'White space in the secret',
  )
  expect(word({ ...secret, unavailable: true }, 'valid')).toBe('Secret cannot be read')
})
