import { useEffect, useState } from 'react'
import { tunnelStates } from '#contract/constants.ts'
import type { TunnelSpan, TunnelView } from '#contract/tunnel.ts'
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
import { isMoment, type Period, periodsOf, totalsOf, uptimeOf, within } from './spans.ts'
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
  readonly periods: readonly Period[]
  readonly now: number
}

const initialRows = 8
const additionalRows = 50

/** The last changes, newest first, each with its reason. */
function Changes({ periods, now }: ChangesProps) {
  const [shown, setShown] = useState(initialRows)
  const rest = periods.length - shown
  return (
    <>
      <Table label="Last changes" columns={['From', 'State', 'Duration', 'Reason']}>
        {periods
          .slice(-shown)
          .toReversed()
          .map((period) => (
            <tr key={period.begun} data-testid="tunnel-change" data-state={period.state}>
              <td>
                <time dateTime={utcTime(period.begun)} title={fullTime(period.begun)}>
                  {momentOf(period.begun, now)}
                </time>
              </td>
              <td>
                <StateTag state={period.state} />
              </td>
              <td>
                {period.now ? (
                  <Since at={period.begun} />
                ) : isMoment(period) ? (
                  '–'
                ) : (
                  formatElapsed(period.to - period.begun)
                )}
              </td>
              <td className="selectable">
                <Shown text={cut(period.reason, 400)} />
              </td>
            </tr>
          ))}
      </Table>
      {rest > 0 && (
        <div>
          <Button kind="quiet" onClick={() => setShown((before) => before + additionalRows)}>
            Show {Math.min(additionalRows, rest)} earlier
          </Button>
        </div>
      )}
    </>
  )
}

/** The maximum that the contract allows for one call. */
const maximumSpans = 5000

interface History {
  readonly spans: readonly TunnelSpan[]
  /** Why loading failed; null otherwise. */
  readonly failure: string | null
  /** The loaded time range in milliseconds; 0 before the first result. */
  readonly ms: number
}

/** The history of the last `ms` milliseconds, reloaded when the state changes. Keeps the previous result while loading. */
function useHistory(ms: number, { since, state }: TunnelView): History {
  const stateKey = `${state} ${since}`
  const client = useClient()
  const [history, setHistory] = useState<History>({ spans: [], failure: null, ms: 0 })
  useEffect(() => {
    let current = true
    const load = (): void => {
      client.call('tunnel.history', { since: Date.now() - ms, limit: maximumSpans }).then(
        (spans) => current && setHistory({ spans, failure: null, ms }),
        (error: unknown) =>
          current && setHistory((before) => ({ ...before, failure: sentence(error) })),
      )
    }
    load()
    // Retry after a reconnect.
    const stop = client.onConnection(({ phase }) => phase === 'connected' && load())
    return () => {
      current = false
      stop()
    }
    // `stateKey` is not read here. A change means that there is new history to load.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [client, ms, stateKey])
  return history
}

const hour = 3_600_000

const ranges = [
  { value: '1h', label: '1 h', words: 'the last hour', ms: hour },
  { value: '24h', label: '24 h', words: 'the last 24 hours', ms: 24 * hour },
  { value: '7d', label: '7 d', words: 'the last 7 days', ms: 7 * 24 * hour },
] as const

/** The number of updates over the width of the strip, about one for each pixel. */
const steps = 720
const recentState = 60_000

/** Uptime: a strip of the last hour, day or week, and its changes with their reasons. */
export function HistoryCard({ view }: { readonly view: TunnelView }) {
  const [rangeId, setRangeId] = useState<(typeof ranges)[number]['value']>('1h')
  const range = ranges.find(({ value }) => value === rangeId) ?? ranges[0]
  // Right after a change, `since` can be later than the last clock update.
  const now = Math.max(
    // A recent change is updated every second.
    useLive(
      (currentTime) =>
        currentTime + (currentTime - view.since < recentState ? 1000 : range.ms / steps),
    ),
    view.since + 1,
  )
  const { spans, failure, ms } = useHistory(range.ms, view)
  /** The start of the selected period. Used as its ID, because periods are added and removed while one is selected. */
  const [selectedStart, setSelectedStart] = useState<number | null>(null)
  const from = now - range.ms
  const periods = within(periodsOf(spans, view, now), from, now)
  const visiblePeriods = periods.filter((period) => !isMoment(period))
  const totals = totalsOf(periods)
  const shown = visiblePeriods.find(({ begun }) => begun === selectedStart)
  const hasNoData = ms > 0 && visiblePeriods.length === 0
  return (
    <Card title="Uptime" note="Gaps mean that the tunnel was closed or Tabscope was not running.">
      <Row wrap align="center" gap={4} gapX={5}>
        <Segments
          label="Time range"
          value={rangeId}
          options={ranges}
          onChange={(value) => {
            setSelectedStart(null)
            setRangeId(value)
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
      {!hasNoData && (
        <div className="history-strip">
          <Strip
            periods={visiblePeriods}
            from={from}
            to={now}
            selected={shown ?? null}
            onSelect={(period) => setSelectedStart(period?.begun ?? null)}
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
      {hasNoData ? (
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
          <Changes key={rangeId} periods={periods} now={now} />
        </>
      )}
    </Card>
  )
}
