import { CircleCheck, CircleX, Diff, Play, Square, Unplug } from 'lucide-react'
import type { SizeProbe, SizeStep, TunnelView } from '#contract/tunnel.ts'
import { Text, Row } from '../../../ui/Layout.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { Card } from '../../../ui/Page.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { byteSize, counted, count } from '../../../ui/text/numbers.ts'
import { clockTimeSeconds, fullTime, span, utcTime } from '../../../ui/text/time.ts'
import { cut } from '../../../ui/text/visible.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { hostOf } from '../../../state/tunnel-labels.ts'

interface OutcomeWords {
  readonly word: string
  readonly tone: 'valid' | 'invalid' | 'missing'
}

const outcomeWords = {
  passed: { word: 'passed', tone: 'valid' },
  refused: { word: 'refused', tone: 'invalid' },
  changed: { word: 'changed', tone: 'invalid' },
  failed: { word: 'no response', tone: 'missing' },
} as const satisfies Record<SizeStep['outcome'], OutcomeWords>

/** What became of a body, in a word. What Tabscope itself refused is no fault of the tunnel. */
export function outcomeOf({ outcome, ownLimit }: SizeStep): OutcomeWords {
  return ownLimit === null ? outcomeWords[outcome] : { word: 'own limit', tone: 'missing' }
}

/** Result: "Lets bodies up to 1 MiB through; 1.2 MiB was refused with 413." `bodyLimit`: Tabscope's own, in bytes. */
export function describeSizes(probe: SizeProbe): string {
  const { largest, stopsAt, steps, running } = probe
  if (steps.length === 0) return running ? 'Trying the first size.' : 'Stopped before the first.'
  const stop = steps.find(({ bytes, outcome }) => bytes === stopsAt && outcome !== 'passed')
  const so = running ? 'So far: lets' : 'Lets'
  if (stop === undefined) {
    if (largest === null) return 'There was no response.'
    return `${so} bodies up to ${byteSize(largest)} through${running ? '.' : ', and nothing larger was tried.'}`
  }
  const [low, high] = sizesApart(largest ?? 0, stop.bytes)
  if (stop.ownLimit !== null) {
    return largest === null
      ? `${high} is over Tabscope’s own body limit of ${byteSize(stop.ownLimit)}, set under Settings. What the tunnel lets through is not known.`
      : `${so} bodies up to ${low} through. What is over ${byteSize(stop.ownLimit)} Tabscope refuses itself: that is its own body limit, under Settings.`
  }
  const end = `${high} ${endWords(stop)}`
  return largest === null
    ? `Lets no body through: already ${end}.`
    : `${so} bodies up to ${low} through; ${end}.`
}

function endWords({ outcome, status }: SizeStep): string {
  switch (outcome) {
    case 'passed':
      return 'passed'
    case 'refused':
      return status === null ? 'was refused' : `was refused with ${status}`
    case 'changed':
      return 'came with other bytes'
    case 'failed':
      return 'got no response'
  }
}

/** Two sizes in words that differ: to the byte where units would make them the same. */
function sizesApart(one: number, other: number): readonly [string, string] {
  const words = [byteSize(one), byteSize(other)] as const
  return words[0] === words[1] ? [`${count(one)} bytes`, `${count(other)} bytes`] : words
}

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
      note="Sends bodies from 1 KiB to 10 MiB through the tunnel to find its limit. They are not shown as deliveries."
    >
      <Row align="center" gap={5}>
        <Button
          icon={running ? <Square aria-hidden /> : <Play aria-hidden />}
          busy={act.busy}
          disabled={url === null && !running}
          onClick={() => act.start()}
        >
          {running ? 'Stop' : sizes === null ? 'Try sizes' : 'Try again'}
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
  /** The public origin of now. */
  readonly now: string | null
}

function Steps({ sizes, now }: StepsProps) {
  return (
    <>
      <Table label="Tested sizes" columns={['Size', 'Outcome', 'Status', 'Took', 'Why']}>
        {sizes.steps.map((step, index) => (
          // A size may be tried twice: the place in the order tells them apart.
          // oxlint-disable-next-line react/no-array-index-key
          <SizeRow key={index} step={step} />
        ))}
      </Table>
      <Text as="p" size="s" tone="dim">
        {counted(sizes.steps.length, 'size', 'sizes')} tried, begun{' '}
        <time dateTime={utcTime(sizes.at)} title={fullTime(sizes.at)}>
          {clockTimeSeconds(sizes.at)}
        </time>
        {sizes.url !== now && `, of ${cut(hostOf(sizes.url), 80)}`}
      </Text>
    </>
  )
}

function SizeRow({ step }: { readonly step: SizeStep }) {
  const { bytes, outcome, status, ms, reason } = step
  const { word, tone } = outcomeOf(step)
  return (
    <tr data-testid="size-step" data-outcome={outcome}>
      <td title={counted(bytes, 'byte', 'bytes')}>{byteSize(bytes)}</td>
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
