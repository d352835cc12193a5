import type { RunAgent, RunFailureCode, RunStep, RunSummary } from '#contract/authorization.ts'
import type { Tone } from '../tokens/labels.ts'

interface Words {
  readonly word: string
  readonly tone: Tone
}

/** What the state of a run is called. */
export function runLabel({ state, failure }: Pick<RunSummary, 'state' | 'failure'>): Words {
  switch (state) {
    case 'running':
      return { word: 'Running', tone: 'info' }
    case 'waiting':
      return { word: 'Waiting', tone: 'missing' }
    case 'succeeded':
      return { word: 'Succeeded', tone: 'valid' }
    case 'failed':
      return failedWords(failure?.code)
  }
}

/** Ends that the user chose are no faults, and are not drawn as such. */
function failedWords(code: RunFailureCode | undefined): Words {
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

/** What the outcome of a step is called. */
export function stepOutcomeLabel(outcome: RunStep['outcome']): Words {
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

/** How the page was shown. */
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

/** What helps after a failure: the first is the one to press. */
export type Remedy = 'authorize' | 'setup' | 'refresh' | 'sandbox'

/** The remedies of a failure, the most likely first. */
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
