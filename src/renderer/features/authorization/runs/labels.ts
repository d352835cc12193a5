import type { RunAgent, RunFailureCode, RunStep, RunSummary } from '#contract/authorization.ts'
import type { Tone } from '../tokens/labels.ts'

interface Label {
  readonly word: string
  readonly tone: Tone
}

export function runLabel({ state, failure }: Pick<RunSummary, 'state' | 'failure'>): Label {
  switch (state) {
    case 'running':
      return { word: 'Running', tone: 'info' }
    case 'waiting':
      return { word: 'Waiting', tone: 'missing' }
    case 'succeeded':
      return { word: 'Succeeded', tone: 'valid' }
    case 'failed':
      return failureLabel(failure?.code)
  }
}

/** A run that the user ended is not shown as an error. */
function failureLabel(code: RunFailureCode | undefined): Label {
  switch (code) {
    case 'cancelled':
      return { word: 'Cancelled', tone: 'unsigned' }
    case 'window_closed':
      return { word: 'Window closed', tone: 'unsigned' }
    case 'superseded':
      return { word: 'Superseded', tone: 'unsigned' }
    case 'closed':
      return { word: 'Interrupted', tone: 'unsigned' }
    case 'timed_out':
      return { word: 'Timed out', tone: 'missing' }
    case 'access_denied':
      return { word: 'Denied', tone: 'missing' }
    default:
      return { word: 'Failed', tone: 'invalid' }
  }
}

export function stepOutcomeLabel(outcome: RunStep['outcome']): Label {
  switch (outcome) {
    case 'ok':
      return { word: 'ok', tone: 'valid' }
    case 'failed':
      return { word: 'failed', tone: 'invalid' }
    case 'waiting':
      return { word: 'waiting', tone: 'missing' }
    case 'note':
      return { word: 'note', tone: 'info' }
  }
}

export function agentLabel(agent: RunAgent | null): string {
  switch (agent) {
    case 'window':
      return 'in a window'
    case 'browser':
      return 'in the browser'
    case 'none':
      return 'opened manually'
    case null:
      return 'without a page'
  }
}

/** An action that can fix a failure. */
export type Remedy = 'authorize' | 'setup' | 'refresh' | 'sandbox'

/** The remedies for a failure, most likely first. */
export function remediesFor(code: RunFailureCode): readonly Remedy[] {
  switch (code) {
    case 'not_ready':
    case 'secret_unavailable':
    case 'redirect_port_in_use':
    case 'redirect_port_forbidden':
    case 'redirect_path':
    case 'redirect_query':
    case 'redirect_origin':
    case 'token_unreachable':
    case 'token_tls':
    case 'token_redirected':
    case 'token_refused':
    case 'token_html':
    case 'page_failed':
      return ['setup', 'authorize']
    case 'sandbox_failed':
      return ['sandbox', 'authorize']
    case 'refresh_template':
      return ['refresh', 'authorize']
    default:
      return ['authorize']
  }
}
