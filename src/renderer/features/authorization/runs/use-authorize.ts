import type { RunAgent } from '#contract/authorization.ts'
import { useAction, useClient, type Action } from '../../../platform/use-client.ts'
import { useCan } from '../../../state/app.ts'
import { runAddress } from '../../../routes/authorization.ts'
import { setRun, useAuthorization } from '../../../state/authorization.ts'

export interface AuthorizeOptions {
  readonly agent?: RunAgent
  readonly redirectUrl?: string
  readonly state?: string
  readonly label?: string
  readonly replaces?: number
}

/** Starts runs of an integration and opens each. Without `agent`, the page opens in a window if the host supports it, else in the browser. */
export function useAuthorize(integrationId: number): Action<[options?: AuthorizeOptions]> {
  const client = useClient()
  const defaultAgent = useCan('embeddedAuthWindow') ? 'window' : 'browser'
  return useAction(async (options: AuthorizeOptions = {}) => {
    const { agent = defaultAgent, redirectUrl, state, label, replaces } = options
    const run = await client.call('authorization.start', {
      integrationId,
      agent,
      ...(redirectUrl ? { redirectUrl } : {}),
      ...(state ? { state } : {}),
      ...(label ? { label } : {}),
      ...(replaces === undefined ? {} : { replaces }),
    })
    // A push may have stored a newer state already.
    if (!useAuthorization.getState().runs.some(({ id }) => id === run.id)) setRun(run)
    location.assign(runAddress(run.id))
  })
}
