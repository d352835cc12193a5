import { dayTime, fullTime, utcTime } from '../../ui/text/time.ts'
import { useNow } from '../../ui/use-now.ts'
import { deliveryAddress } from '../../routes/deliveries.ts'

interface Props {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Between the number and the time. */
  readonly word?: string
}

/** A delivery by its number, which opens it, and when it came. */
export function DeliveryMoment({ id, at, word = '' }: Props) {
  const now = useNow()
  return (
    <>
      <a href={deliveryAddress(id, null, '')} title="Open this delivery">
        #{id}
      </a>{' '}
      {word}
      <time dateTime={utcTime(at)} title={fullTime(at)}>
        {dayTime(at, now)}
      </time>
    </>
  )
}
