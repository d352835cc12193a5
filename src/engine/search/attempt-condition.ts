import { isOrder } from '#contract/filter/check.ts'
import { readWholeNumber } from '#contract/filter/values.ts'
import type { Binder } from './binder.ts'
import type { Arm } from './candidate.ts'
import { isNoneOf, type Term } from './filter-context.ts'

/** How the last attempt of a delivery ended (`delivery.sent`): no number, not even 0, is that of one without a whole answer. */
export function attemptCondition(term: Term, binder: Binder): string {
  const status = 'nullif(+d.sent, 0)'
  const bind = (text: string): string => binder.bind(readWholeNumber(text) ?? -1)
  const { comparison, values } = term
  const [first] = values
  if (isOrder(comparison) && first)
    return `coalesce(${status} ${comparison} ${bind(first.text)}, 0)`
  return values
    .map((value) => {
      if (isNoneOf(term, value)) return '+d.sent IS NULL'
      switch (value.text.toLowerCase()) {
        case 'ok':
          return 'coalesce(+d.sent BETWEEN 200 AND 299, 0)'
        case 'failed':
          return 'coalesce(+d.sent NOT BETWEEN 200 AND 299, 0)'
        default:
          return `${status} IS ${bind(value.text)}`
      }
    })
    .join(' OR ')
}

/** The way in by the index of those that were sent; null: it asks for others as well. */
export function attemptArm(term: Term): ((binder: Binder) => Arm[]) | null {
  if (term.values.some((value) => isNoneOf(term, value))) return null
  return (binder) => [
    { on: `d.sent IS NOT NULL AND (${attemptCondition(term, binder)})`, index: 'delivery_sent' },
  ]
}
