import { useEffect, useState } from 'react'
import { type TunnelSpan, tunnelStates, type TunnelView } from '#contract/tunnel.ts'
import { Note } from '../../../components/Note.tsx'
import { Card } from '../../../components/Page.tsx'
import { Segments } from '../../../components/Segments.tsx'
import { Since, useLive } from '../Live.tsx'
import { lasting } from '../lasting.ts'
import { tunnelStateLabels } from '../labels.ts'
import { Swatch } from './Patterns.tsx'
import { momentOf, readoutOf, describeUptime } from './readout.ts'
import { isMoment, type Period, stretchesOf, totalsOf, uptimeOf, within } from './spans.ts'
import { Strip } from './Strip.tsx'
import './History.css'
import { sentence } from '../../../platform/call-error.ts'
import { useClient } from '../../../platform/use-client.ts'
import { Button } from '../../../components/Button.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { fullTime, utcTime } from '../../../components/text/time.ts'
import { cut } from '../../../components/text/visible.ts'
import { StateTag } from '../StateTag.tsx'

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
      <table className="tunnel-table" aria-label="Last changes">
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">State</th>
            <th scope="col">For</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
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
                    lasting(stretch.to - stretch.begun)
                  )}
                </td>
                <td className="selectable">
                  <Shown text={cut(stretch.reason, 400)} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
      {rest > 0 && (
        <Button
          kind="quiet"
          className="tunnel-more"
          onClick={() => setShown((before) => before + more)}
        >
          Show {Math.min(more, rest)} earlier
        </Button>
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

/** Up and down: a strip of the last hour, day or week, and its changes with their reasons. */
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
    <Card
      title="Up and down"
      note="Where nothing is drawn, none was wanted, or Tabscope was not running."
    >
      <div className="history-head">
        <Segments
          label="How far back"
          value={chosen}
          options={ranges}
          onChange={(value) => {
            setPointed(null)
            setChosen(value)
          }}
        />
        <p className="history-sum" data-testid="tunnel-uptime">
          {ms === 0 ? '' : describeUptime(uptimeOf(totals), range.words)}
        </p>
      </div>
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
            <p className="history-tip" data-testid="strip-readout">
              {readoutOf(shown, now)}
            </p>
          )}
        </div>
      )}
      {never ? (
        <p className="dim">
          Once one is open, each change of its state is drawn here, and listed with its reason.
        </p>
      ) : (
        <>
          <dl className="history-legend" aria-label="How long it was in each state">
            {tunnelStates.map((state) => {
              const length = totals.get(state)
              return length === undefined ? null : (
                <div key={state}>
                  <dt>
                    <Swatch state={state} />
                    {tunnelStateLabels[state].word}
                  </dt>
                  <dd>{lasting(length)}</dd>
                </div>
              )
            })}
          </dl>
          <Changes key={chosen} stretches={stretches} now={now} />
        </>
      )}
    </Card>
  )
}
