import { AppError } from '../../platform/errors.ts'
import { authorizeUrl, newState } from './authorize-url.ts'
import { RunFailureError } from './failures.ts'
import type { LiveRun, RunPorts } from './live-run.ts'
import { preflight } from './preflight.ts'
import type { ExpectedReturn } from './redirect.ts'
import { tunnelAddresses } from './tunnel-addresses.ts'

/** A snapshot: later changes to the integration do not affect the flow. */
export interface Prepared extends ExpectedReturn {
  readonly baseUrl: string
  readonly accessId: string
  /** In clear text, used only for the exchange. */
  readonly accessSecret: string
  readonly authorizeUrl: string
  /** Tabscope can serve the redirect URL on this machine. */
  readonly served: boolean
}

export interface PreparePorts extends RunPorts {
  startSandbox(): Promise<unknown>
}

/** Starts the sandbox if it is the service, records the preflight checks as a step, and builds the URL to open. Throws `RunFailureError`. */
export async function prepare(
  context: PreparePorts,
  run: LiveRun,
  options: { integrationId: number; redirectUrl: string | undefined; state: string | undefined },
): Promise<Prepared> {
  const { integrationId: id } = options
  if (context.integrations.view(id).kind === 'sandbox') {
    try {
      await context.startSandbox()
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'internal') throw error
      run.step({ kind: 'preflight', outcome: 'failed', title: 'Preflight', detail: error.message })
      throw new RunFailureError('sandbox_failed', error.message)
    }
  }
  const view = context.integrations.view(id)
  const redirectUrl = options.redirectUrl ?? view.redirectUrl
  // `kind: 'service'`: the sandbox has set its fields by now, so none of them may be empty.
  const tunnels = tunnelAddresses(context)
  const result = preflight({ ...view, redirectUrl, kind: 'service', tunnels })
  // Redirect URLs that are listed but not in use do not affect this run.
  const checks = result.checks.filter((check) => (check.redirectUrl ?? redirectUrl) === redirectUrl)
  const error = checks.find(({ outcome }) => outcome === 'error')
  run.set({ redirectUrl })
  run.step({
    kind: 'preflight',
    outcome: error ? 'failed' : 'ok',
    title: 'Preflight',
    detail: error?.message ?? (checks.map(({ message }) => message).join(' ') || null),
    facts: [
      { name: 'base URL', value: view.baseUrl },
      { name: 'redirect URL', value: redirectUrl },
    ],
  })
  if (error) {
    const isSealed = error.code === 'access_secret.unavailable'
    throw new RunFailureError(isSealed ? 'secret_unavailable' : 'not_ready', error.message)
  }
  // The secret may have changed since the masker was created.
  const accessSecret = context.integrations.accessSecret(id)
  run.masker.hold('access_secret', 'Access secret', accessSecret)
  const state = options.state ?? newState()
  const { baseUrl, accessId } = view
  return {
    baseUrl,
    accessId,
    accessSecret,
    redirectUrl,
    state,
    authorizeUrl: authorizeUrl({ baseUrl, accessId, redirectUrl, state }),
    served: result.redirectMode === 'served',
  }
}
