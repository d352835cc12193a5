import type { RunAgent } from '#contract/authorization.ts'
import { useAction, type Action } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useCan } from '#client/state/app.ts'
import { runAddress } from '#client/addresses/authorization.ts'
import { setRun, useAuthorization } from '#client/state/authorization.ts'

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
