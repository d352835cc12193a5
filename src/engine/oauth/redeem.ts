import { createHash } from 'node:crypto'
import type { TokenView } from '#contract/tokens.ts'
import type { RunPorts } from './ports.ts'
import type { LiveRun } from './live-run.ts'
import type { Prepared } from './prepare.ts'
import { exchange, exchangeRequest } from './token-client.ts'
import type { TokenOutcome } from './token-response.ts'

type Granted = Extract<TokenOutcome, { failure: null }>

export interface CodeExchange {
  readonly code: string
  readonly label: string
  /** The token that the new one takes the place of. */
  readonly replaces: number | null
  readonly signal: AbortSignal
  /** Aborted: Tabscope closes, and a token that cannot be stored stays with the record. */
  readonly closing: AbortSignal
  /** Called when the grant is there: from now on nothing may end the run but the run itself. */
  readonly granted: () => void
}

/** Exchanges a code for a token, once and never again (SPEC, "Token endpoint"), and keeps the token. Ends the run. */
export async function redeem(
  context: RunPorts,
  run: LiveRun,
  prepared: Prepared,
  { code, label, replaces, signal, closing, granted }: CodeExchange,
): Promise<void> {
  const hash = createHash('sha256').update(code, 'utf8').digest('hex')
  if (!(await context.store.writer.call('claimCode', { runId: run.id, hash }))) {
    return run.fail('code_used')
  }
  if (signal.aborted) return
  // Before the code leaves, so that a crash in the middle is seen for what it is.
  void run.save()
  const outcome = await exchange(context, run, exchangeRequest({ ...prepared, code }), signal)
  if (outcome.failure === 'cancelled') return
  run.found(outcome.findings)
  granted()
  if (outcome.failure !== null) {
    if (outcome.grant) run.keepAside(outcome.grant)
    return run.fail(outcome.failure, outcome.detail)
  }
  const token = await keep(context, run, outcome, { label, replaces, closing })
  run.step({
    kind: 'token',
    title: 'The token is stored',
    facts: [
      { name: 'token', value: String(token.id) },
      ...(token.expires === null
        ? []
        : [{ name: 'expires', value: new Date(token.expires * 1000).toISOString() }]),
    ],
  })
  return run.succeed(token.id)
}

/**
 * The code is used up: while the storage fails the token is held in memory, and one that cannot be stored as was wished stays with the record, to be
 * kept by hand.
 */
async function keep(
  context: RunPorts,
  run: LiveRun,
  { grant, findings }: Granted,
  { label, replaces, closing }: Pick<CodeExchange, 'label' | 'replaces' | 'closing'>,
): Promise<TokenView> {
  try {
    const { integrationId, id: runId } = run
    const unstored = { signal: closing, waiting: (reason: string) => run.isUnstored(reason) }
    const of = { integrationId, label, replaces, runId, findings, unstored }
    return await context.tokens.keep(grant, of)
  } catch (error) {
    run.keepAside(grant)
    throw error
  }
}
