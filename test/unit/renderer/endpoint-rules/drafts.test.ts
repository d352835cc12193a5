import { describe, expect, it } from 'vitest'
import type { ResponseRule } from '#contract/endpoint-rules.ts'
import * as forward from '#renderer/features/endpoint-rules/ForwardDialog.tsx'
import * as rule from '#renderer/features/endpoint-rules/RuleDialog.tsx'

const rules: ResponseRule[] = [
  {
    id: 1,
    endpointId: 2,
    type: null,
    response: { kind: 'status', status: 503, headers: [['Retry-After', '5']], body: 'busy\n' },
    delayMs: 1500,
    when: { kind: 'share', share: 0.25 },
    enabled: true,
  },
  {
    id: 2,
    endpointId: 2,
    type: 'OPEN_TAB',
    response: { kind: 'drop' },
    delayMs: 120_000,
    when: { kind: 'first', count: 7 },
    enabled: true,
  },
  {
    id: 3,
    endpointId: 2,
    type: null,
    response: { kind: 'script', script: 'busy', onFailure: 'hold' },
    delayMs: 0,
    when: { kind: 'always' },
    enabled: true,
  },
]

describe('the form of a response rule', () => {
  it.each(rules)('converts rule $id to the form and back', (given) => {
    const { id: _id, endpointId: _endpoint, ...stored } = given
    const draft = rule.draftOf(given)
    expect(rule.faultsOf(draft)).toEqual({})
    expect(rule.ruleOf(draft)).toEqual(stored)
    expect(rule.inputOf(given)).toEqual(stored)
  })

  it.each<[Partial<rule.RuleDraft>, keyof rule.RuleFaults]>([
    [{ status: '99' }, 'status'],
    [{ status: '200.5' }, 'status'],
    [{ delay: '121' }, 'delay'],
    [{ delay: '' }, 'delay'],
    [{ when: 'first', count: '0' }, 'count'],
    [{ when: 'share', share: '101' }, 'share'],
    [{ headers: [['', 'x']] }, 'headers'],
  ])('reports the error in %j', (change, field) => {
    expect(Object.keys(rule.faultsOf({ ...rule.newRule, ...change }))).toEqual([field])
  })

  it('does not validate hidden fields', () => {
    const hidden = { ...rule.newRule, kind: 'drop', status: 'x', count: 'x', share: 'x' } as const
    expect(rule.faultsOf(hidden)).toEqual({})
  })

  it('requires a script to respond by one', () => {
    expect(Object.keys(rule.faultsOf({ ...rule.newRule, kind: 'script' }))).toEqual(['script'])
  })
})

describe('the form of a forward target', () => {
  it('starts with the defaults, and requires an address', () => {
    const draft = forward.draftOf(null)
    expect(Object.keys(forward.faultsOf(draft))).toEqual(['url'])
    expect(forward.inputOf({ ...draft, url: ' http://localhost:3000/ ' })).toEqual({
      url: 'http://localhost:3000/',
      types: [],
      mode: 'after',
      retries: 0,
      timeoutMs: 10_000,
      concurrency: 1,
      queueLimit: 1000,
      script: null,
      onScriptFailure: 'continue',
    })
  })

  it.each<[Partial<forward.ForwardDraft>, keyof forward.ForwardFaults]>([
    [{ retries: '21' }, 'retries'],
    [{ timeout: '0' }, 'timeout'],
    [{ timeout: '121' }, 'timeout'],
    [{ inFlight: '33' }, 'inFlight'],
    [{ queue: '0' }, 'queue'],
    [{ queue: '1e9' }, 'queue'],
  ])('reports the error in %j', (change, field) => {
    const draft = { ...forward.draftOf(null), url: 'http://localhost/', ...change }
    expect(Object.keys(forward.faultsOf(draft))).toEqual([field])
  })
})
