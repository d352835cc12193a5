import { expect, it } from 'vitest'
import { hasUnreadable } from '#kit/use-draft.tsx'
import { faultOf } from '#pages/setup/endpoints/RuleDialog.tsx'

it('requires a script, and a name for each header', () => {
  expect(faultOf({ kind: 'script', script: '', onFailure: 'continue' })).toMatch(/script/)
  expect(faultOf({ kind: 'status', status: 500, headers: [['', 'x']], body: '' })).toMatch(/header/)
  expect(faultOf({ kind: 'drop' })).toBeNull()
})

it('knows numbers that could not be read, also within a part of a draft', () => {
  expect(hasUnreadable({ delayMs: Number.NaN })).toBe(true)
  expect(hasUnreadable({ delayMs: 0, when: { kind: 'first', count: Number.NaN } })).toBe(true)
  expect(hasUnreadable({ delayMs: 0, when: null, headers: [['a', 'b']] })).toBe(false)
})
