import { CircleCheck, CircleX, Diff, Play, Square, Unplug } from 'lucide-react'
import type { SizeProbe, SizeStep, TunnelView } from '#contract/tunnel.ts'
import { Button } from '../../../components/Button.tsx'
import { Note } from '../../../components/Note.tsx'
import { Card } from '../../../components/Page.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { byteSize, counted } from '../../../components/text/numbers.ts'
import { clockTimeSeconds, fullTime, span, utcTime } from '../../../components/text/time.ts'
import { cut } from '../../../components/text/visible.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { hostOf } from '../labels.ts'
import { outcomeOf, describeSizes } from './labels.ts'
import './Sizes.css'

/** What sizes of body the tunnel lets through, tried when it is asked for. */
export function SizesCard({ view }: { readonly view: TunnelView }) {
  const client = useClient()
  const { sizes, url } = view
  const running = sizes?.running === true
  const act = useAction(async () => {
    await client.call(running ? 'tunnel.stopSizes' : 'tunnel.probeSizes', {})
  })
  return (
    <Card
      title="Body sizes"
      note="Bodies from 1 KiB to 10 MiB are sent through the tunnel to see which arrive. None is shown as a delivery."
    >
      <div className="sizes-line">
        <Button
          icon={running ? <Square aria-hidden /> : <Play aria-hidden />}
          busy={act.busy}
          disabled={url === null && !running}
          onClick={() => act.start()}
        >
          {running ? 'Stop' : sizes === null ? 'Try sizes' : 'Try again'}
        </Button>
        <p role="status" aria-label="What came of it" data-testid="sizes-summary">
          {sizes === null
            ? url === null && 'Once the tunnel is open, this can be tried.'
            : describeSizes(sizes)}
        </p>
      </div>
      {act.error !== null && (
        <Note tone="invalid" alert>
          {sentence(act.error)}
        </Note>
      )}
      {sizes !== null && sizes.steps.length > 0 && <Steps sizes={sizes} now={url} />}
    </Card>
  )
}

interface StepsProps {
  readonly sizes: SizeProbe
  /** The public origin of now. */
  readonly now: string | null
}

function Steps({ sizes, now }: StepsProps) {
  return (
    <>
      <table className="tunnel-table" aria-label="Sizes that were tried">
        <thead>
          <tr>
            <th scope="col">Size</th>
            <th scope="col">Outcome</th>
            <th scope="col">Status</th>
            <th scope="col">Took</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {sizes.steps.map((step, index) => (
            // A size may be tried twice: the place in the order tells them apart.
            // oxlint-disable-next-line react/no-array-index-key
            <Row key={index} step={step} />
          ))}
        </tbody>
      </table>
      <p className="dim sizes-when">
        {counted(sizes.steps.length, 'size', 'sizes')} tried, begun{' '}
        <time dateTime={utcTime(sizes.at)} title={fullTime(sizes.at)}>
          {clockTimeSeconds(sizes.at)}
        </time>
        {sizes.url !== now && `, of ${cut(hostOf(sizes.url), 80)}`}
      </p>
    </>
  )
}

function Row({ step }: { readonly step: SizeStep }) {
  const { bytes, outcome, status, ms, reason } = step
  const { word, tone } = outcomeOf(step)
  return (
    <tr data-testid="size-step" data-outcome={outcome}>
      <td title={counted(bytes, 'byte', 'bytes')}>{byteSize(bytes)}</td>
      <td>
        <span className="tunnel-tag" data-tone={tone}>
          <OutcomeIcon outcome={outcome} />
          {word}
        </span>
      </td>
      <td>{status ?? '–'}</td>
      <td>{span(ms)}</td>
      <td className="selectable">{reason !== null && <Shown text={cut(reason, 300)} />}</td>
    </tr>
  )
}

function OutcomeIcon({ outcome }: Pick<SizeStep, 'outcome'>) {
  switch (outcome) {
    case 'passed':
      return <CircleCheck aria-hidden />
    case 'refused':
      return <CircleX aria-hidden />
    case 'changed':
      return <Diff aria-hidden />
    case 'failed':
      return <Unplug aria-hidden />
  }
}
