import type { Timings } from '#contract/http.ts'
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

interface Phase {
  readonly name: 'dns' | 'connect' | 'tls' | 'firstByte' | 'rest'
  readonly label: string
  /** Milliseconds; null: it did not take place. */
  readonly took: number | null
}

/** The phases of one request in order; what the measured ones leave of the whole is the rest. */
export function phasesOf({ dns, connect, tls, firstByte, total }: Timings): readonly Phase[] {
  const measured = (dns ?? 0) + (connect ?? 0) + (tls ?? 0) + (firstByte ?? 0)
  return [
    { name: 'dns', label: 'DNS', took: dns },
    { name: 'connect', label: 'Connect', took: connect },
    { name: 'tls', label: 'TLS', took: tls },
    { name: 'firstByte', label: 'First byte', took: firstByte },
    { name: 'rest', label: 'Rest', took: Math.max(0, total - measured) },
  ]
}
