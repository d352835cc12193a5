import { CircleCheck, CircleX, Diff, Play, Square, Unplug } from '../../../ui/icons.tsx'
import type { SizeProbe, SizeStep, TunnelView } from '#contract/tunnel.ts'
import { Text, Row } from '../../../ui/Layout.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { Card } from '../../../ui/Page.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { formatCount, formatDuration, formatSize, plural } from '#shared/text/format.ts'
import { clockTimeSeconds, fullTime, utcTime } from '../../../ui/text/time.ts'
import { cut } from '../../../ui/text/visible.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { hostOf } from '../../../state/tunnel-labels.ts'

interface OutcomeLabel {
  readonly word: string
  readonly tone: 'valid' | 'invalid' | 'missing'
}

const outcomeLabels = {
  passed: { word: 'passed', tone: 'valid' },
  refused: { word: 'rejected', tone: 'invalid' },
  changed: { word: 'changed', tone: 'invalid' },
  failed: { word: 'no response', tone: 'missing' },
} as const satisfies Record<SizeStep['outcome'], OutcomeLabel>

/** The label of a result. A body that Tabscope itself rejected is not a problem of the tunnel. */
export function outcomeOf({ outcome, ownLimit }: SizeStep): OutcomeLabel {
  return ownLimit === null ? outcomeLabels[outcome] : { word: 'body limit', tone: 'missing' }
}

/** Describes the result: "Accepts bodies up to 1 MiB. 1.2 MiB was rejected with 413." */
export function describeSizes(probe: SizeProbe): string {
  const { largest, stopsAt, steps, running } = probe
  if (steps.length === 0)
    return running ? 'Testing the first size.' : 'Stopped before the first size.'
  const stop = steps.find(({ bytes, outcome }) => bytes === stopsAt && outcome !== 'passed')
  const accepts = running ? 'So far, accepts' : 'Accepts'
  if (stop === undefined) {
    if (largest === null) return 'No response received.'
    return `${accepts} bodies up to ${formatSize(largest)}.${running ? '' : ' Larger bodies were not tested.'}`
  }
  const [low, high] = distinctSizes(largest ?? 0, stop.bytes)
  if (stop.ownLimit !== null) {
    return largest === null
      ? `${high} exceeds Tabscope’s body limit of ${formatSize(stop.ownLimit)}, which you can change in Settings. The tunnel’s limit is unknown.`
      : `${accepts} bodies up to ${low}. Tabscope rejects bodies over ${formatSize(stop.ownLimit)}, its body limit in Settings.`
  }
  const end = `${high} ${describeEnd(stop)}`
  return largest === null ? `Accepts no bodies: ${end}.` : `${accepts} bodies up to ${low}. ${end}.`
}

function describeEnd({ outcome, status }: SizeStep): string {
  switch (outcome) {
    case 'passed':
      return 'passed'
    case 'refused':
      return status === null ? 'was rejected' : `was rejected with ${status}`
    case 'changed':
      return 'was changed in transit'
    case 'failed':
      return 'got no response'
  }
}

/** Formats two sizes so that they differ, in bytes if their rounded values are equal. */
function distinctSizes(a: number, b: number): readonly [string, string] {
  const words = [formatSize(a), formatSize(b)] as const
  return words[0] === words[1] ? [`${formatCount(a)} bytes`, `${formatCount(b)} bytes`] : words
}

/** Tests which body sizes the tunnel accepts. */
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
      note="Sends bodies from 1 KiB to 10 MiB through the tunnel to find its limit. They are not shown as deliveries."
    >
      <Row align="center" gap={5}>
        <Button
          icon={running ? <Square aria-hidden /> : <Play aria-hidden />}
          busy={act.busy}
          disabled={url === null && !running}
          onClick={() => act.start()}
        >
          {running ? 'Stop' : sizes === null ? 'Test sizes' : 'Test again'}
        </Button>
        <p role="status" aria-label="Result" data-testid="sizes-summary">
          {sizes === null ? url === null && 'Open the tunnel to test sizes.' : describeSizes(sizes)}
        </p>
      </Row>
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
  /** The current public origin. */
  readonly now: string | null
}

function Steps({ sizes, now }: StepsProps) {
  return (
    <>
      <Table label="Tested sizes" columns={['Size', 'Result', 'Status', 'Duration', 'Reason']}>
        {sizes.steps.map((step, index) => (
          // A size can be tested twice, so the index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <SizeRow key={index} step={step} />
        ))}
      </Table>
      <Text as="p" size="s" tone="dim">
        {plural(sizes.steps.length, 'size', 'sizes')} tested, started{' '}
        <time dateTime={utcTime(sizes.at)} title={fullTime(sizes.at)}>
          {clockTimeSeconds(sizes.at)}
        </time>
        {sizes.url !== now && `, through ${cut(hostOf(sizes.url), 80)}`}
      </Text>
    </>
  )
}

function SizeRow({ step }: { readonly step: SizeStep }) {
  const { bytes, outcome, status, ms, reason } = step
  const { word, tone } = outcomeOf(step)
  return (
    <tr data-testid="size-step" data-outcome={outcome}>
      <td title={plural(bytes, 'byte', 'bytes')}>{formatSize(bytes)}</td>
      <td>
        <Row
          as="span"
          inline
          align="baseline"
          gap={2}
          fixed
          tone="state"
          size="s"
          weight="semibold"
          nowrap
          data-tone={tone}
        >
          <OutcomeIcon outcome={outcome} />
          {word}
        </Row>
      </td>
      <td>{status ?? '–'}</td>
      <td>{formatDuration(ms)}</td>
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
