import type { GuideAt } from '#contract/models.ts'
import { runAddress, setupAddress } from '../../routes/authorization.ts'

export type GuidePath = NonNullable<GuideAt['way']>

export type StepName = 'service' | 'integration' | 'endpoint' | 'authorize' | 'delivery' | 'tunnel'

interface WayEntry {
  /** As it stands in the strip. */
  readonly label: string
  readonly steps: readonly StepName[]
}

/**
 * Both ways through the first minutes. With the sandbox nothing leaves this machine before the last step; an integration of one's own can bring
 * no delivery before the service reaches us, so its tunnel comes first.
 */
export const ways: Readonly<Record<GuidePath, WayEntry>> = {
  sandbox: { label: 'With the sandbox', steps: ['service', 'authorize', 'delivery', 'tunnel'] },
  own: {
    label: 'My own integration',
    steps: ['integration', 'endpoint', 'authorize', 'tunnel', 'delivery'],
  },
}

interface StepEntry {
  /** In the row of steps. */
  readonly label: string
  /** The page on which the real thing stands. */
  readonly address: string
}

export const steps: Readonly<Record<StepName, StepEntry>> = {
  service: { label: 'Sandbox', address: '#/sandbox' },
  integration: { label: 'Integration', address: setupAddress },
  endpoint: { label: 'Endpoint', address: '#/endpoints' },
  authorize: { label: 'Authorize', address: runAddress(null) },
  delivery: { label: 'First delivery', address: '#/deliveries' },
  tunnel: { label: 'Tunnel', address: '#/tunnel' },
}

/** The step that a guide stands at. Null: it is at its end, or was written by a Tabscope that had more steps. */
export function stepOf(way: GuidePath, step: number): StepName | null {
  return ways[way].steps[step] ?? null
}
