import type { ReactNode } from 'react'
import { parsePath } from '#shared/json/path.ts'
import { filterAddress, deliveryAddress } from '#client/addresses/deliveries.ts'
import { useLog } from '#client/state/scope.ts'
import { closeDeliveryOf } from '#client/state/deliveries.ts'
import { printExact, printPart } from '#contract/filter/print.ts'
import { dayTime } from '#kit/text/time.ts'
import { useNow, Time } from '#kit/Time.tsx'

/** Deliveries, linked to the filtered list. */
export function FilterLink({ filter, children }: { filter: string; children: ReactNode }) {
  const log = useLog()
  return (
    // The open delivery may not match the filter.
    <a
      href={filterAddress(filter, log)}
      title={`Show deliveries: ${filter}`}
      onClick={() => closeDeliveryOf(log)}
    >
      {children}
    </a>
  )
}

/** Returns the filter for the deliveries of a type, optionally limited to a finding. */
export function filterFor(type: string | null, code?: string): string {
  const ofType = type === null ? 'none' : printExact(type)
  return code === undefined ? `type:${ofType}` : `type:${ofType} finding:${printExact(code)}`
}

/** Deliveries of a type with or without a field. Null: a key that is not stored, or the elements of a list, which may be empty. */
export function filterForField(type: string | null, path: string, has = true): string | null {
  const steps = path.endsWith('[]') ? null : parsePath(path.replaceAll('[]', ''))
  if (steps === null || type === otherTypes) return null
  const isInData = steps[0] === 'data' && steps.length > 1
  const parts = (isInData ? steps : ['body', ...steps]).map((step) => printPart(String(step)))
  return `${filterFor(type)} ${has ? '' : '-'}${parts.join('.')}:*`
}

/** Types that count as one. */
export const otherTypes = '*'

interface DeliveryMomentProps {
  id: number
  /** Milliseconds since the epoch. */
  at: number
  /** Shown between the number and the time. */
  word?: string
}

/** A linked delivery number with the time it was received. */
export function DeliveryMoment({ id, at, word = '' }: DeliveryMomentProps) {
  const now = useNow()
  const log = useLog()
  return (
    <>
      <a href={deliveryAddress(id, log, '')} title="Open this delivery">
        #{id}
      </a>{' '}
      {word}
      <Time at={at}>{dayTime(at, now)}</Time>
    </>
  )
}
