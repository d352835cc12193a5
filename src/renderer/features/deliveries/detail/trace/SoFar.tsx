import { Repeat2 } from 'lucide-react'
import type { Delivery } from '#contract/models.ts'
import { Button } from '../../../../components/Button.tsx'
import { useDeliveries } from '../../store.ts'
import { goTo } from './going.ts'
import { subjectTitle } from './strip.ts'
import { Throttle } from './Throttle.tsx'
import { TraceStrip } from './TraceStrip.tsx'
import { useRelated, useTrace } from './use-beyond.ts'
import './Trace.css'

/** What the overview tells beyond the delivery itself: its tab so far, what it repeats, and for a scan the throttle. */
export function SoFar({ delivery }: { readonly delivery: Delivery }) {
  return (
    <>
      {delivery.type === 'QR_SCANNED' && <ScanThrottle id={delivery.id} />}
      {delivery.repeats && <Repeated repeats={delivery.repeats} />}
      <Strip id={delivery.id} />
    </>
  )
}

function Strip({ id }: { readonly id: number }) {
  const { state } = useTrace(id)
  if (state.phase !== 'ready') return null
  const { subject, entries } = state.value
  const tied = entries.filter(({ relation }) => relation === 'tied').length
  // Of a life of one event there is no line to draw, but of a tab, whose ends are worth a word.
  if (tied < 2 && subject.kind !== 'tab') return null
  const title = subject.kind === 'other' ? subjectTitle(subject) : `${subjectTitle(subject)} so far`
  return (
    <section className="so-far" aria-labelledby="so-far">
      <h3 className="section-title" id="so-far">
        {title}
      </h3>
      <Button kind="quiet" onClick={showTrace}>
        Show the trace
      </Button>
      <TraceStrip trace={state.value} currentId={id} />
    </section>
  )
}

function Repeated({ repeats }: { readonly repeats: NonNullable<Delivery['repeats']> }) {
  return (
    <p className="so-far-repeats mid">
      <Repeat2 aria-hidden />
      <span>
        {repeats.by === 'body' ? 'The same bytes as ' : 'The same event, in other bytes, as '}
        <button type="button" className="link-button mono" onClick={() => goTo(repeats.id)}>
          #{repeats.id}
        </button>
      </span>
    </p>
  )
}

function ScanThrottle({ id }: { readonly id: number }) {
  const { state } = useRelated(id)
  return state.phase === 'ready' && state.value.throttle ? (
    <Throttle throttle={state.value.throttle} />
  ) : null
}

function showTrace(): void {
  useDeliveries.setState({ tab: 'trace' })
}
