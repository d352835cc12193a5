import { useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { fullTime, utcTime } from '../../../components/text/time.ts'
import { cut } from '../../../components/text/visible.ts'
import { Since } from '../Live.tsx'
import { lasting } from '../lasting.ts'
import { StateTag } from '../StateTag.tsx'
import { momentOf } from './readout.ts'
import { isMoment } from './spans.ts'
import type { Stretch } from './spans.ts'

interface Props {
  /** Oldest first. */
  readonly stretches: readonly Stretch[]
  readonly now: number
}

const atFirst = 8
const more = 50

/** The last changes, newest first, each with its reason. */
export function Changes({ stretches, now }: Props) {
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
