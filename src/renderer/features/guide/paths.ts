import type { GuideAt } from '#contract/models.ts'
import { runAddress, setupAddress } from '../../routes/authorization.ts'

export type GuidePath = NonNullable<GuideAt['path']>

export type StepName = 'service' | 'integration' | 'endpoint' | 'authorize' | 'delivery' | 'tunnel'

interface PathEntry {
  readonly label: string
  readonly steps: readonly StepName[]
}

/**
 * Both paths of the guide. With the sandbox, nothing leaves this machine before the last step. With your own integration, the service must be
 * able to reach this machine before a delivery can arrive, so the tunnel comes before the delivery.
 */
export const paths: Readonly<Record<GuidePath, PathEntry>> = {
  sandbox: { label: 'With the sandbox', steps: ['service', 'authorize', 'delivery', 'tunnel'] },
  own: {
    label: 'My own integration',
    steps: ['integration', 'endpoint', 'authorize', 'tunnel', 'delivery'],
  },
}

interface StepEntry {
  readonly label: string
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

/** The current step of the guide. Null: the guide is at its end, or its state was stored by a version with more steps. */
export function stepOf(path: GuidePath, step: number): StepName | null {
  return paths[path].steps[step] ?? null
}
