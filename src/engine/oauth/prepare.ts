import type { RunFailureCode } from '#contract/authorization.ts'
import type { PreflightCheck } from '#contract/integrations.ts'
import { AppError } from '../platform/errors.ts'
import { authorizeUrl, newState } from './authorize-url.ts'
import type { LiveRun } from './live-run.ts'
import { preflight } from './preflight.ts'
import type { RunPorts } from './ports.ts'
import type { ExpectedReturn } from './redirect.ts'
import { tunnelAddresses } from './tunnel-addresses.ts'

/** All that a flow works with, as it was when it began: what is changed meanwhile does not reach into it. */
export interface Prepared extends ExpectedReturn {
  readonly baseUrl: string
  readonly accessId: string
  /** In clear text, for the exchange alone. */
  readonly accessSecret: string
  readonly authorizeUrl: string
  /** True when the redirect URL can be served on this machine. */
  readonly served: boolean
}

export interface PreparePorts extends RunPorts {
  /** Starts the sandbox's service, and fills in the integration that stands for it. */
  startSandbox(): Promise<unknown>
}

export interface PrepareOptions {
  readonly integrationId: number
  /** Undefined: the one that the integration uses. */
  readonly redirectUrl: string | undefined
  /** Undefined: a fresh one. */
  readonly state: string | undefined
}

export type Preparation =
  | { readonly ok: true; readonly prepared: Prepared }
  | { readonly ok: false; readonly code: RunFailureCode; readonly message: string }

/** Starts the sandbox where it is the service, looks at what is entered, and builds the address to open. The look is a step of the run. */
export async function prepare(
  context: PreparePorts,
  run: LiveRun,
  wish: PrepareOptions,
): Promise<Preparation> {
  const { integrationId: id } = wish
  if (context.integrations.view(id).kind === 'sandbox') {
    try {
      await context.startSandbox()
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'internal') throw error
      run.step({ kind: 'preflight', outcome: 'failed', title: 'Preflight', detail: error.message })
      return { ok: false, code: 'sandbox_failed', message: error.message }
    }
  }
  const view = context.integrations.view(id)
  const redirectUrl = wish.redirectUrl ?? view.redirectUrl
  // The sandbox has filled in by now what is left to it before.
  const tunnels = await tunnelAddresses(context)
  const look = preflight({ ...view, redirectUrl, kind: 'service', tunnels })
  // What is listed and not in use does not matter to this run.
  const checks = look.checks.filter((check) => (check.redirectUrl ?? redirectUrl) === redirectUrl)
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
  if (error) return { ok: false, code: failureFor(error), message: error.message }
  // Unsealed after the masker was made, or changed since: it is held back all the same.
  const accessSecret = context.integrations.accessSecret(id)
  run.masker.hold('access_secret', 'Access secret', accessSecret)
  const state = wish.state ?? newState()
  const { baseUrl, accessId } = view
  return {
    ok: true,
    prepared: {
      baseUrl,
      accessId,
      accessSecret,
      redirectUrl,
      state,
      authorizeUrl: authorizeUrl({ baseUrl, accessId, redirectUrl, state }),
      served: look.comesBack === 'served',
    },
  }
}

function failureFor({ code }: PreflightCheck): RunFailureCode {
  return code === 'access_secret.unavailable' ? 'secret_unavailable' : 'not_ready'
}
