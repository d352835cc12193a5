import type { CallInput } from '#contract/calls.ts'
import type { ResponseRule } from '#contract/endpoint-rules.ts'
import type { Header } from '#contract/models.ts'

export type RuleInput = CallInput<'responses.set'>['rules'][number]

export interface RuleDraft {
  readonly type: string
  readonly kind: 'status' | 'drop'
  readonly status: string
  readonly headers: readonly Header[]
  readonly body: string
  /** Seconds. */
  readonly delay: string
  readonly when: 'always' | 'first' | 'share'
  readonly count: string
  /** Percent. */
  readonly share: string
}

export const newRule: RuleDraft = {
  type: '',
  kind: 'status',
  status: '500',
  headers: [],
  body: '',
  delay: '0',
  when: 'always',
  count: '3',
  share: '20',
}

export function draftOf({ type, response, delayMs, when }: ResponseRule): RuleDraft {
  return {
    ...newRule,
    type: type ?? '',
    ...(response.kind === 'status'
      ? {
          kind: 'status',
          status: String(response.status),
          headers: response.headers,
          body: response.body,
        }
      : { kind: 'drop' }),
    delay: String(delayMs / 1000),
    when: when.kind,
    ...(when.kind === 'first' ? { count: String(when.count) } : {}),
    ...(when.kind === 'share' ? { share: String(when.share * 100) } : {}),
  }
}

/** Errors of the form fields. */
export type RuleFaults = Partial<Record<'status' | 'delay' | 'count' | 'share' | 'headers', string>>

export function faultsOf(draft: RuleDraft): RuleFaults {
  const faults: RuleFaults = {}
  if (draft.kind === 'status') {
    if (!isWhole(draft.status, 200, 599)) faults.status = 'Enter a status from 200 to 599.'
    const bad = draft.headers.find(([name, value]) => name.trim() === '' && value.trim() !== '')
    if (bad) faults.headers = 'Enter a name for each header.'
  }
  if (!isWithin(draft.delay, 0, 120)) faults.delay = 'Enter 0 to 120 seconds.'
  if (draft.when === 'first' && !isWhole(draft.count, 1, 1_000_000)) {
    faults.count = 'Enter a whole number of 1 or more.'
  }
  if (draft.when === 'share' && !isWithin(draft.share, 0, 100))
    faults.share = 'Enter a number from 0 to 100.'
  return faults
}

export function ruleOf(draft: RuleDraft): RuleInput {
  return {
    type: draft.type === '' ? null : draft.type,
    response:
      draft.kind === 'drop'
        ? { kind: 'drop' }
        : {
            kind: 'status',
            status: Number(draft.status),
            headers: draft.headers.flatMap(([name, value]): Header[] =>
              name.trim() === '' ? [] : [[name.trim(), value.trim()]],
            ),
            body: draft.body,
          },
    delayMs: Math.round(Number(draft.delay) * 1000),
    when: whenOf(draft),
    enabled: true,
  }
}

function whenOf({ when, count, share }: RuleDraft): RuleInput['when'] {
  switch (when) {
    case 'always':
      return { kind: 'always' }
    case 'first':
      return { kind: 'first', count: Number(count) }
    case 'share':
      return { kind: 'share', share: Number(share) / 100 }
  }
}

export function inputOf({ type, response, delayMs, when, enabled }: ResponseRule): RuleInput {
  return { type, response, delayMs, when, enabled }
}

function isWhole(text: string, from: number, to: number): boolean {
  return /^\d+$/.test(text.trim()) && isWithin(text, from, to)
}

function isWithin(text: string, from: number, to: number): boolean {
  const value = Number(text)
  return text.trim() !== '' && value >= from && value <= to
}
