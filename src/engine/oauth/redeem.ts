import { createHash } from 'node:crypto'
import type { TokenView } from '#contract/tokens.ts'
import type { RunPorts, LiveRun } from './live-run.ts'
import type { Prepared } from './prepare.ts'
import { exchange, exchangeRequest } from './token-client.ts'
import type { TokenOutcome } from './token-response.ts'

type Granted = Extract<TokenOutcome, { failure: null }>

export interface CodeExchange {
  readonly code: string
  readonly label: string
  readonly replaces: number | null
  readonly signal: AbortSignal
  /** Aborted when Tabscope closes: a token that cannot be stored then stays with the record. */
  readonly closing: AbortSignal
  /** Called once the response is received: from then on only the run itself may end it. */
  readonly granted: () => void
}

/** Exchanges a code for a token (API documentation, "Token endpoint"), stores it, and ends the run. A code is never sent twice. */
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
  // Saved before the code is sent, so that the record shows the exchange even after a crash.
  void run.save()
  const outcome = await exchange(context, run, exchangeRequest({ ...prepared, code }), signal)
  if (outcome.failure === 'cancelled') return
  run.addFindings(outcome.findings)
  granted()
  if (outcome.failure !== null) {
    if (outcome.grant) run.keepAside(outcome.grant)
    return run.fail(outcome.failure, outcome.detail, outcome.explained)
  }
  const token = await keep(context, run, outcome, { label, replaces, closing })
  run.step({
    kind: 'token',
    title: 'Token stored',
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
 * The code is used up, so while storage fails the token is kept in memory and the write is retried. If Tabscope closes first, the token stays with the
 * record, from which the user can store it.
 */
async function keep(
  context: RunPorts,
  run: LiveRun,
  { grant, findings }: Granted,
  { label, replaces, closing }: Pick<CodeExchange, 'label' | 'replaces' | 'closing'>,
): Promise<TokenView> {
  try {
    const { integrationId, id: runId } = run
    const unstored = { signal: closing, waiting: (reason: string) => run.reportUnstored(reason) }
    const of = { integrationId, label, replaces, runId, findings, unstored }
    return await context.tokens.keep(grant, of)
  } catch (error) {
    run.keepAside(grant)
    throw error
  }
}
