import { useState } from 'react'
import { tunnelStates } from '#contract/tunnel.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import { Note } from '../../../components/Note.tsx'
import { Card } from '../../../components/Page.tsx'
import { Segments } from '../../../components/Segments.tsx'
import { useLive } from '../Live.tsx'
import { lasting } from '../lasting.ts'
import { stateWords } from '../words.ts'
import { Changes } from './Changes.tsx'
import { Swatch } from './Patterns.tsx'
import { ranges } from './ranges.ts'
import { readoutOf, uptimeWords } from './readout.ts'
import { isMoment, stretchesOf, totalsOf, uptimeOf, within } from './spans.ts'
import { Strip } from './Strip.tsx'
import { useHistory } from './use-history.ts'
import './History.css'

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
          {ms === 0 ? '' : uptimeWords(uptimeOf(totals), range.words)}
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
                    {stateWords[state].word}
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
