import type { Timings } from '#contract/http.ts'
import { phasesOf } from './phases.ts'
import { span } from './text/time.ts'
import './PhaseBar.css'

/** Where the time of the last request went: a bar to scale, and the figures. */
export function PhaseBar({ timings }: { readonly timings: Timings }) {
  const phases = phasesOf(timings)
  return (
    <div className="phases">
      <div className="phases-bar" aria-hidden>
        {phases.map(({ name, took }) =>
          took === null || took === 0 ? null : (
            <span key={name} data-phase={name} style={{ flexGrow: took }} />
          ),
        )}
      </div>
      <dl aria-label="Time by phase">
        {phases.map(({ name, label, took }) => (
          <div
            key={name}
            title={took === null ? 'It did not take place, or the connection was there' : undefined}
          >
            <dt>
              <i data-phase={name} aria-hidden />
              {label}
            </dt>
            <dd>{took === null ? '–' : span(took)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
