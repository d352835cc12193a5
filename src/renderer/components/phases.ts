import type { Timings } from '#contract/http.ts'

export interface Phase {
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
