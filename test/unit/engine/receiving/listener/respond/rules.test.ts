import { describe, expect, it } from 'vitest'
import type { ResponseRule } from '#contract/endpoint-rules.ts'
import { Rules } from '#engine/receiving/listener/respond/rules.ts'
import { seeded } from '#sandbox/random.ts'
import { responseRule, withStatus } from '#test/support/capture-thread.ts'

const never = (): number => {
  throw new Error('nothing random is needed')
}

function rulesOf(...rules: ResponseRule[]): Rules {
  const all = new Rules()
  all.configure(rules)
  return all
}

function decidingRules(rules: Rules, type: string | null, count: number): (number | null)[] {
  return Array.from({ length: count }, () => rules.decide(1, type, never)?.rule.id ?? null)
}

describe('which rule decides', () => {
  it('is the first one that matches the type and is due', () => {
    const open = responseRule({ type: 'OPEN_TAB', when: { kind: 'first', count: 2 } })
    const all = responseRule({ when: { kind: 'first', count: 3 } })
    const close = responseRule({ type: 'CLOSE_TAB' })
    const rules = rulesOf(open, all, close)
    expect(decidingRules(rules, 'OPEN_TAB', 3)).toEqual([open.id, open.id, all.id])
    expect(decidingRules(rules, null, 1)).toEqual([all.id])
    expect(decidingRules(rules, 'CLOSE_TAB', 3)).toEqual([all.id, close.id, close.id])
    expect(decidingRules(rules, 'OPEN_TAB', 2)).toEqual([null, null])
    expect(decidingRules(rules, 'open_tab', 1)).toEqual([null])
    // A delivery decidingRules by a rule does not count for later rules.
    expect(rules.uses()).toEqual([
      { ruleId: open.id, matchCount: 5, applied: 2 },
      { ruleId: all.id, matchCount: 8, applied: 3 },
      { ruleId: close.id, matchCount: 2, applied: 2 },
    ])
  })

  it('is never a rule of another endpoint', () => {
    const rules = rulesOf(responseRule({ endpointId: 2 }))
    expect(rules.decide(1, 'OPEN_TAB', never)).toBe(null)
    expect(rules.decide(2, 'OPEN_TAB', never)).not.toBe(null)
  })

  it('is random with a share, in that proportion', () => {
    const random = seeded(20_260_314)
    const quarter = responseRule({ when: { kind: 'share', share: 0.25 } })
    const rest = responseRule()
    const rules = rulesOf(quarter, rest)
    const one = Array.from(
      { length: 10_000 },
      () => rules.decide(1, null, () => random.between(0, 999_999) / 1_000_000)?.rule.id,
    )
    const share = one.filter((id) => id === quarter.id).length / one.length
    expect(share).toBeGreaterThan(0.23)
    expect(share).toBeLessThan(0.27)
    expect(rules.uses()).toEqual([
      { ruleId: quarter.id, matchCount: 10_000, applied: share * 10_000 },
      { ruleId: rest.id, matchCount: (1 - share) * 10_000, applied: (1 - share) * 10_000 },
    ])
  })

  it.each([
    [1, 0.999_999_999, true],
    [0, 0, false],
    [0.5, 0.5, false],
    [0.5, 0.499, true],
  ])('with a share of %d and a chance of %d: %s', (share, chance, is) => {
    const rules = rulesOf(responseRule({ when: { kind: 'share', share } }))
    expect(rules.decide(1, null, () => chance) !== null).toBe(is)
  })
})

it('counting continues over unrelated changes, and restarts with changed and new rules', () => {
  const one = responseRule({ when: { kind: 'first', count: 2 } })
  const rules = rulesOf(one)
  decidingRules(rules, null, 1)
  rules.configure([responseRule({ type: 'OTHER' }), structuredClone(one)])
  expect(decidingRules(rules, null, 2)).toEqual([one.id, null])
  const changed = { ...one, response: withStatus(404) }
  rules.configure([changed])
  expect(rules.uses()).toEqual([{ ruleId: one.id, matchCount: 0, applied: 0 }])
  expect(rules.decide(1, null, never)?.prepared?.status).toBe(404)
  rules.configure([])
  expect(rules.uses()).toEqual([])
  expect(decidingRules(rules, null, 1)).toEqual([null])
  rules.configure([changed])
  expect(decidingRules(rules, null, 3)).toEqual([one.id, one.id, null])
})
