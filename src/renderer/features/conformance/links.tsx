import { formatCount } from '#shared/text/format.ts'
import { filterAddress, deliveryAddress } from '../../routes/deliveries.ts'
import { closeDelivery } from '../../state/deliveries.ts'
import { printExact } from '#contract/filter/print.ts'
import { dayTime } from '../../ui/text/time.ts'
import { useNow } from '../../ui/use-now.ts'
import { Time } from '../../ui/Time.tsx'

interface Props {
  readonly type: string | null
  /** Limits the filter to a finding; undefined for all deliveries of the type. */
  readonly code?: string
  readonly of: number
}

/** The number of deliveries, linked to the filtered list. */
export function FilterLink({ type, code, of }: Props) {
  const filter = filterFor(type, code)
  return (
    // The open delivery may not match the filter.
    <a href={filterAddress(filter)} title={`Show deliveries: ${filter}`} onClick={closeDelivery}>
      {formatCount(of)}
    </a>
  )
}

/** Returns the filter for the deliveries of a type, optionally limited to a finding. */
export function filterFor(type: string | null, code?: string): string {
  const ofType = type === null ? 'none' : printExact(type)
  return code === undefined ? `type:${ofType}` : `type:${ofType} finding:${printExact(code)}`
}

interface DeliveryMomentProps {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Shown between the number and the time. */
  readonly word?: string
}

/** A linked delivery number with the time it was received. */
export function DeliveryMoment({ id, at, word = '' }: DeliveryMomentProps) {
  const now = useNow()
  return (
    <>
      <a href={deliveryAddress(id, null, '')} title="Open this delivery">
        #{id}
      </a>{' '}
      {word}
      <Time at={at}>{dayTime(at, now)}</Time>
    </>
  )
}
