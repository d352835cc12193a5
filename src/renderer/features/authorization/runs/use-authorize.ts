import type { RunAgent } from '#contract/authorization.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { useCan } from '../../../state/app.ts'
import { runAddress } from '../../../routes/authorization.ts'
import { takeRun, useAuthorization } from '../../../state/authorization.ts'

export interface AuthorizeOptions {
  readonly agent?: RunAgent
  readonly redirectUrl?: string
  readonly state?: string
  readonly label?: string
  readonly replaces?: number
}

/** Begins runs of an integration, and shows each. Without `agent` in a window where the host has one, else in the browser. */
export function useAuthorize(integrationId: number): {
  readonly start: (wish?: AuthorizeOptions) => void
  readonly busy: boolean
  readonly error: unknown
} {
  const client = useClient()
  const usual = useCan('embeddedAuthWindow') ? 'window' : 'browser'
  const { start, busy, error } = useAction(async (wish: AuthorizeOptions = {}) => {
    const { agent = usual, redirectUrl, state, label, replaces } = wish
    const run = await client.call('authorization.start', {
      integrationId,
      agent,
      ...(redirectUrl ? { redirectUrl } : {}),
      ...(state ? { state } : {}),
      ...(label ? { label } : {}),
      ...(replaces === undefined ? {} : { replaces }),
    })
    // A push may have told more of it by now.
    if (!useAuthorization.getState().runs.some(({ id }) => id === run.id)) takeRun(run)
    location.assign(runAddress(run.id))
  })
  return { start, busy, error }
}
