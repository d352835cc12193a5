import type { Integration } from '#contract/integrations.ts'
import type { DeliverySummary, Endpoint, GuideAt } from '#contract/models.ts'
import { useAuthorization, useIntegration } from '../../state/authorization.ts'
import { usePreflight } from '../authorization/index.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { useSandbox } from '../../state/sandbox.ts'
import { useTunnel } from '../../state/tunnel.ts'
import { useFirst } from './use-first.ts'
import type { StepName, GuidePath } from './paths.ts'

/** What the guide is about, and what of it is so. Nothing here is remembered: it is read from what is. */
export interface GuideState {
  /** Undefined: there is none of the way's kind yet. */
  readonly integration: Integration | undefined
  /** The one that receives for it. */
  readonly endpoint: Endpoint | undefined
  /** Why a user cannot be sent to the service yet, a sentence each. */
  readonly hindrances: readonly string[]
  /** The first delivery that came during the guide. */
  readonly first: DeliverySummary | null
  readonly done: Readonly<Record<StepName, boolean>>
}

export function useGuideState(way: GuidePath, { after }: Pick<GuideAt, 'after'>): GuideState {
  const integration = useIntegrationOf(way)
  const endpoint = useEndpoints(({ endpoints }) =>
    endpoints.find(({ integrationId }) => integrationId === integration?.id),
  )
  const any = useAuthorization(({ integrations }) => integrations[0]?.id ?? 1)
  const { preflight } = usePreflight({ id: integration?.id ?? any }, JSON.stringify(integration))
  const running = useSandbox(({ service }) => service?.running === true)
  const held = useAuthorization(({ tokens }) =>
    tokens.some(
      ({ integrationId, standing }) =>
        integrationId === integration?.id && (standing === 'good' || standing === 'suspect'),
    ),
  )
  // With an integration of one's own, what counts is what came for it.
  const first = useFirst(after, way === 'sandbox' ? null : (endpoint?.id ?? 0))
  const online = useTunnel(({ view }) => view?.state === 'online')
  const hindrances =
    integration?.kind === 'service' && preflight !== null
      ? preflight.checks.filter(({ outcome }) => outcome === 'error').map(({ message }) => message)
      : []
  return {
    integration,
    endpoint,
    hindrances,
    first,
    done: {
      service: running,
      integration: integration?.kind === 'service' && preflight?.ready === true,
      endpoint: endpoint?.secret.set === true && !endpoint.secret.unavailable,
      authorize: held,
      delivery: first !== null,
      tunnel: online,
    },
  }
}

/** The sandbox's, or of those of the user's own the current one, else the newest. */
function useIntegrationOf(way: GuidePath): Integration | undefined {
  const integrations = useAuthorization((state) => state.integrations)
  const current = useIntegration()
  const kind = way === 'sandbox' ? 'sandbox' : 'service'
  return current?.kind === kind ? current : integrations.findLast((one) => one.kind === kind)
}
