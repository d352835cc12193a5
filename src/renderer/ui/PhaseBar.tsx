import { formatDuration } from '#shared/text/format.ts'
import type { Timings } from '#contract/http.ts'
import { Text, Row, Stack } from './Layout.tsx'
import './PhaseBar.css'

/** The duration of each phase of a request, as a bar and as numbers. */
export function PhaseBar({ timings }: { readonly timings: Timings }) {
  const phases = phasesOf(timings)
  return (
    <Stack gap={2} className="phases">
      <div className="phases-bar" aria-hidden>
        {phases.map(({ name, took }) =>
          took === null || took === 0 ? null : (
            <span key={name} style={{ flexGrow: took, background: colors[name] }} />
          ),
        )}
      </div>
      <Row as="dl" wrap gap={1} gapX={5} size="xs" aria-label="Time by phase">
        {phases.map(({ name, label, took }) => (
          <div
            key={name}
            title={took === null ? 'Skipped, or an existing connection was used' : undefined}
          >
            <Text as="dt" tone="dim">
              <i style={{ background: colors[name] }} aria-hidden />
              {label}
            </Text>
            <Text as="dd" tone="mid">
              {took === null ? '–' : formatDuration(took)}
            </Text>
          </div>
        ))}
      </Row>
    </Stack>
  )
}

interface Phase {
  readonly name: 'dns' | 'connect' | 'tls' | 'firstByte' | 'rest'
  readonly label: string
  /** Milliseconds; null if the phase did not occur. */
  readonly took: number | null
}

const colors = {
  dns: 'var(--ink-3)',
  connect: 'var(--chart-1)',
  tls: 'var(--chart-4)',
  firstByte: 'var(--accent)',
  rest: 'var(--chart-3)',
} as const satisfies Record<Phase['name'], string>

/** The phases of a request in order. The rest is the total minus the measured phases. */
export function phasesOf({
  dnsMs,
  connectMs,
  tlsMs,
  firstByteMs,
  totalMs,
}: Timings): readonly Phase[] {
  const measured = (dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0) + (firstByteMs ?? 0)
  return [
    { name: 'dns', label: 'DNS', took: dnsMs },
    { name: 'connect', label: 'Connect', took: connectMs },
    { name: 'tls', label: 'TLS', took: tlsMs },
    { name: 'firstByte', label: 'First byte', took: firstByteMs },
    { name: 'rest', label: 'Rest', took: Math.max(0, totalMs - measured) },
  ]
}
