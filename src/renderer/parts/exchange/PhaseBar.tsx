import { formatDuration } from '#shared/text/format.ts'
import type { Timings } from '#contract/http.ts'
import './PhaseBar.css'

interface Props {
  timings: Timings
  /** The URL of a request without a complete response: the phase in which it failed is marked. */
  failedUrl?: string | null
}

/** The duration of each phase of a request, as a bar and as numbers. */
export function PhaseBar({ timings, failedUrl = null }: Props) {
  const phases = phasesOf(timings, failedUrl)
  return (
    <div className="phases grid gap-2">
      <div
        className="phases-bar flex h-2 gap-px overflow-hidden rounded-sm bg-sunken [&>span]:min-w-[2px]"
        aria-hidden
      >
        {phases.map(
          (phase) =>
            phase.took !== null &&
            phase.took > 0 && (
              <span key={phase.name} style={{ flexGrow: phase.took, background: colorOf(phase) }} />
            ),
        )}
      </div>
      <dl className="flex flex-wrap gap-1 gap-x-5 text-xs" aria-label="Time by phase">
        {phases.map((phase) => (
          <div
            key={phase.name}
            title={phase.took === null ? 'Skipped, or an existing connection was used' : undefined}
          >
            <dt className={phase.failed ? 'text-invalid' : 'text-dim'}>
              <i style={{ background: colorOf(phase) }} aria-hidden />
              {phase.label}
            </dt>
            <dd className={phase.failed ? 'text-invalid' : 'text-mid'}>
              {phase.took === null ? '–' : formatDuration(phase.took)}
              {phase.failed && ', failed'}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

interface Phase {
  readonly name: keyof typeof colors
  readonly label: string
  /** Milliseconds; null if the phase did not occur. */
  readonly took: number | null
  readonly failed: boolean
}

const colors = {
  dns: 'var(--ink-3)',
  connect: 'var(--chart-1)',
  tls: 'var(--chart-4)',
  firstByte: 'var(--accent)',
  rest: 'var(--chart-3)',
} as const

function colorOf({ name, failed }: Phase): string {
  return failed ? 'var(--invalid)' : colors[name]
}

/**
 * The phases of a request in order. The rest is the total minus the measured phases.
 *
 * @param failedUrl of a request without a complete response, which spent the rest in the phase that failed; null: it did not fail
 */
export function phasesOf(timings: Timings, failedUrl: string | null): readonly Phase[] {
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = timings
  const measured = (dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0) + (firstByteMs ?? 0)
  const rest = Math.max(0, totalMs - measured)
  const failedAt = failedUrl === null ? null : lastPhaseOf(timings, failedUrl)
  const phase = (name: Phase['name'], label: string, took: number | null): Phase =>
    name === failedAt
      ? { name, label, took: rest, failed: true }
      : { name, label, took, failed: false }
  return [
    phase('dns', 'DNS', dnsMs),
    phase('connect', 'Connect', connectMs),
    phase('tls', 'TLS', tlsMs),
    phase('firstByte', 'Waiting for the first byte', firstByteMs),
    phase('rest', 'Rest', failedAt === null ? rest : null),
  ]
}

function lastPhaseOf(
  { dnsMs, connectMs, tlsMs, firstByteMs }: Timings,
  url: string,
): Phase['name'] {
  const { protocol = '', hostname = '' } = URL.parse(url) ?? {}
  if (firstByteMs !== null) return 'rest'
  if (tlsMs !== null) return 'firstByte'
  if (connectMs !== null) return protocol === 'https:' ? 'tls' : 'firstByte'
  const isAddress = hostname.startsWith('[') || /^[\d.]{7,15}$/.test(hostname)
  return dnsMs !== null || isAddress ? 'connect' : 'dns'
}
