import { useEffect, useState } from 'react'
import { type TunnelSpan, tunnelStates, type TunnelView } from '#contract/tunnel.ts'
import { formatElapsed } from '#shared/text/format.ts'
import { Text, Row } from '../../../ui/Layout.tsx'
import { Note } from '../../../ui/Note.tsx'
import { Card } from '../../../ui/Page.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Segments } from '../../../ui/Segments.tsx'
import { Since, useLive } from '../Live.tsx'
import { tunnelStateLabels } from '../../../state/tunnel-labels.ts'
import { Swatch } from './Patterns.tsx'
import { momentOf, readoutOf, describeUptime } from './readout.ts'
import { isMoment, type Period, stretchesOf, totalsOf, uptimeOf, within } from './spans.ts'
import { Strip } from './Strip.tsx'
import './History.css'
import { sentence } from '../../../platform/call-error.ts'
import { useClient } from '../../../platform/use-client.ts'
import { Button } from '../../../ui/Button.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { fullTime, utcTime } from '../../../ui/text/time.ts'
import { cut } from '../../../ui/text/visible.ts'
import { StateTag } from '../StateMark.tsx'

interface ChangesProps {
  /** Oldest first. */
  readonly stretches: readonly Period[]
  readonly now: number
}

const atFirst = 8
const more = 50

/** The last changes, newest first, each with its reason. */
function Changes({ stretches, now }: ChangesProps) {
  const [shown, setShown] = useState(atFirst)
  const rest = stretches.length - shown
  return (
    <>
      <Table label="Last changes" columns={['From', 'State', 'For', 'Why']}>
        {stretches
          .slice(-shown)
          .toReversed()
          .map((stretch) => (
            <tr key={stretch.begun} data-testid="tunnel-change" data-state={stretch.state}>
              <td>
                <time dateTime={utcTime(stretch.begun)} title={fullTime(stretch.begun)}>
                  {momentOf(stretch.begun, now)}
                </time>
              </td>
              <td>
                <StateTag state={stretch.state} />
              </td>
              <td>
                {stretch.now ? (
                  <Since at={stretch.begun} />
                ) : isMoment(stretch) ? (
                  '–'
                ) : (
                  formatElapsed(stretch.to - stretch.begun)
                )}
              </td>
              <td className="selectable">
                <Shown text={cut(stretch.reason, 400)} />
              </td>
            </tr>
          ))}
      </Table>
      {rest > 0 && (
        <div>
          <Button kind="quiet" onClick={() => setShown((before) => before + more)}>
            Show {Math.min(more, rest)} earlier
          </Button>
        </div>
      )}
    </>
  )
}

/** As many as the contract gives at once. */
const most = 5000

interface History {
  readonly spans: readonly TunnelSpan[]
  /** Null: they are here, or on the way. */
  readonly failure: string | null
  /** Of how many milliseconds they are; 0: none came yet. */
  readonly ms: number
}

/** What was in the last `ms` milliseconds, asked for anew when the state changes. Until an answer is here, what was before. */
function useHistory(ms: number, { since, state }: TunnelView): History {
  const turn = `${state} ${since}`
  const client = useClient()
  const [held, setHeld] = useState<History>({ spans: [], failure: null, ms: 0 })
  useEffect(() => {
    let current = true
    const ask = (): void => {
      client.call('tunnel.history', { since: Date.now() - ms, limit: most }).then(
        (spans) => current && setHeld({ spans, failure: null, ms }),
        (error: unknown) =>
          current && setHeld((before) => ({ ...before, failure: sentence(error) })),
      )
    }
    ask()
    // What failed since the connection was gone is asked again when it is back.
    const stop = client.onConnection(({ phase }) => phase === 'connected' && ask())
    return () => {
      current = false
      stop()
    }
    // Nothing in here reads `turn`: another one means that there is more to be asked for.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [client, ms, turn])
  return held
}

const hour = 3_600_000

const ranges = [
  { value: '1h', label: '1 h', words: 'the last hour', ms: hour },
  { value: '24h', label: '24 h', words: 'the last 24 hours', ms: 24 * hour },
  { value: '7d', label: '7 d', words: 'the last 7 days', ms: 7 * 24 * hour },
] as const

/** So that the strip moves on by about a pixel at a time, and the figures with it. */
const steps = 720
const young = 60_000

/** Uptime: a strip of the last hour, day or week, and its changes with their reasons. */
export function HistoryCard({ view }: { readonly view: TunnelView }) {
  const [chosen, setChosen] = useState<(typeof ranges)[number]['value']>('1h')
  const range = ranges.find(({ value }) => value === chosen) ?? ranges[0]
  // The state of now is newer than the clock when it has just changed.
  const now = Math.max(
    // What has just begun is told of to the second.
    useLive((then) => then + (then - view.since < young ? 1000 : range.ms / steps)),
    view.since + 1,
  )
  const { spans, failure, ms } = useHistory(range.ms, view)
  /** By its beginning: others come and go while one is looked at. */
  const [pointed, setPointed] = useState<number | null>(null)
  const from = now - range.ms
  const stretches = within(stretchesOf(spans, view, now), from, now)
  const drawn = stretches.filter((stretch) => !isMoment(stretch))
  const totals = totalsOf(stretches)
  const shown = drawn.find(({ begun }) => begun === pointed)
  const never = ms > 0 && drawn.length === 0
  return (
    <Card title="Uptime" note="Gaps mean that the tunnel was closed or Tabscope was not running.">
      <Row wrap align="center" gap={4} gapX={5}>
        <Segments
          label="Time range"
          value={chosen}
          options={ranges}
          onChange={(value) => {
            setPointed(null)
            setChosen(value)
          }}
        />
        <Text as="p" tone="mid" data-testid="tunnel-uptime">
          {ms === 0 ? '' : describeUptime(uptimeOf(totals), range.words)}
        </Text>
      </Row>
      {failure !== null && (
        <Note tone="invalid" alert>
          {failure}
        </Note>
      )}
      {!never && (
        <div className="history-strip">
          <Strip
            stretches={drawn}
            from={from}
            to={now}
            pointed={shown ?? null}
            onPoint={(stretch) => setPointed(stretch?.begun ?? null)}
          />
          {shown && (
            <Text
              as="p"
              pad={[2, 4]}
              size="s"
              anywhere
              frame
              className="history-tip"
              data-testid="strip-readout"
            >
              {readoutOf(shown, now)}
            </Text>
          )}
        </div>
      )}
      {never ? (
        <p className="dim">
          When you open a tunnel, its state changes and their reasons appear here.
        </p>
      ) : (
        <>
          <Row as="dl" wrap gap={2} gapX={6} size="s" aria-label="Time in each state">
            {tunnelStates.map((state) => {
              const length = totals.get(state)
              return length === undefined ? null : (
                <Row align="center" gap={4} key={state}>
                  <Row as="dt" align="center" gap={3} tone="mid">
                    <Swatch state={state} />
                    {tunnelStateLabels[state].word}
                  </Row>
                  <dd>{formatElapsed(length)}</dd>
                </Row>
              )
            })}
          </Row>
          <Changes key={chosen} stretches={stretches} now={now} />
        </>
      )}
    </Card>
  )
}
