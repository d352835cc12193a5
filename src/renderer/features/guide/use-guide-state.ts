import type { Integration } from '#contract/integrations.ts'
import type { DeliverySummary, Endpoint, GuideAt } from '#contract/models.ts'
import { useAuthorization, useIntegration } from '../../state/authorization.ts'
import { usePreflight } from '../authorization/index.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { useSandbox } from '../../state/sandbox.ts'
import { useTunnel } from '../../state/tunnel.ts'
import { useFirstDelivery } from './use-first-delivery.ts'
import type { StepName, GuidePath } from './paths.ts'

/** What the guide works with and which steps are done. Derived from the current state of the app, not stored. */
export interface GuideState {
  /** Undefined: there is no integration of the path's kind yet. */
  readonly integration: Integration | undefined
  readonly endpoint: Endpoint | undefined
  /** Why authorization cannot start yet, one sentence each. */
  readonly obstacles: readonly string[]
  readonly firstDelivery: DeliverySummary | null
  readonly done: Readonly<Record<StepName, boolean>>
}

export function useGuideState(path: GuidePath, { after }: Pick<GuideAt, 'after'>): GuideState {
  const integration = useIntegrationOf(path)
  const endpoint = useEndpoints(({ endpoints }) =>
    endpoints.find(({ integrationId }) => integrationId === integration?.id),
  )
  const anyIntegrationId = useAuthorization(({ integrations }) => integrations[0]?.id ?? 1)
  const { preflight } = usePreflight(
    { id: integration?.id ?? anyIntegrationId },
    JSON.stringify(integration),
  )
  const running = useSandbox(({ service }) => service?.running === true)
  const hasToken = useAuthorization(({ tokens }) =>
    tokens.some(
      ({ integrationId, status }) =>
        integrationId === integration?.id && (status === 'good' || status === 'suspect'),
    ),
  )
  // On the user's own integration, only deliveries to its endpoint count.
  const firstDelivery = useFirstDelivery(after, path === 'sandbox' ? null : (endpoint?.id ?? 0))
  const online = useTunnel(({ view }) => view?.state === 'online')
  const obstacles =
    integration?.kind === 'service' && preflight !== null
      ? preflight.checks.filter(({ outcome }) => outcome === 'error').map(({ message }) => message)
      : []
  return {
    integration,
    endpoint,
    obstacles,
    firstDelivery,
    done: {
      service: running,
      integration: integration?.kind === 'service' && preflight?.ready === true,
      endpoint: endpoint?.secret.set === true && !endpoint.secret.unavailable,
      authorize: hasToken,
      delivery: firstDelivery !== null,
      tunnel: online,
    },
  }
}

/** The integration of the path: the current one if it has the right kind, otherwise the newest of that kind. */
function useIntegrationOf(path: GuidePath): Integration | undefined {
  const integrations = useAuthorization((state) => state.integrations)
  const current = useIntegration()
  const kind = path === 'sandbox' ? 'sandbox' : 'service'
  return current?.kind === kind
    ? current
    : integrations.findLast((integration) => integration.kind === kind)
}
