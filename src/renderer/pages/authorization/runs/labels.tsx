import { Icons, type Icon } from '#kit/icons.tsx'
import type { RunAgent, RunFailureCode, RunStep, RunSummary } from '#contract/authorization.ts'
import { refreshAddress, setupAddress } from '#client/addresses/authorization.ts'
import { StateMark } from '#kit/Mark.tsx'
import type { Tone } from '../tokens/labels.tsx'

interface Label {
  readonly icon: Icon
  readonly word: string
  readonly tone: Tone
}

const states: Readonly<Record<RunSummary['state'], Label>> = {
  running: { icon: Icons.LoaderCircle, word: 'Running', tone: 'info' },
  waiting: { icon: Icons.Hourglass, word: 'Waiting', tone: 'warning' },
  succeeded: { icon: Icons.Check, word: 'Succeeded', tone: 'valid' },
  failed: { icon: Icons.X, word: 'Failed', tone: 'invalid' },
}

const harmless: Readonly<Partial<Record<RunFailureCode, Label>>> = {
  cancelled: { icon: Icons.CircleSlash, word: 'Cancelled', tone: 'unsigned' },
  window_closed: { icon: Icons.CircleSlash, word: 'Window closed', tone: 'unsigned' },
  superseded: { icon: Icons.CircleSlash, word: 'Superseded', tone: 'unsigned' },
  closed: { icon: Icons.CircleSlash, word: 'Interrupted', tone: 'unsigned' },
  timed_out: { icon: Icons.CircleSlash, word: 'Timed out', tone: 'warning' },
  access_denied: { icon: Icons.CircleSlash, word: 'Denied', tone: 'warning' },
}

export function runLabel({ state, failure }: Pick<RunSummary, 'state' | 'failure'>): Label {
  return (state === 'failed' && failure && harmless[failure.code]) || states[state]
}

export function RunStateMark({ run }: { run: Pick<RunSummary, 'state' | 'failure'> }) {
  return <StateMark {...runLabel(run)} />
}

export const stepOutcomes: Readonly<Record<RunStep['outcome'], Label>> = {
  ok: { icon: Icons.Check, word: 'ok', tone: 'valid' },
  failed: { icon: Icons.X, word: 'failed', tone: 'invalid' },
  waiting: { icon: Icons.Hourglass, word: 'waiting', tone: 'warning' },
  note: { icon: Icons.Info, word: 'note', tone: 'info' },
}

const agents = {
  window: 'in a window',
  browser: 'in the browser',
  none: 'opened manually',
} as const satisfies Record<RunAgent, string>

export function agentLabel(agent: RunAgent | null): string {
  return agent === null ? 'without a page' : agents[agent]
}

/** Where a failure can be fixed; null: only by another run. */
export function linkFor(
  code: RunFailureCode,
): { readonly to: string; readonly text: string } | null {
  switch (code) {
    case 'not_ready':
    case 'secret_unavailable':
    case 'redirect_port_in_use':
    case 'redirect_port_forbidden':
    case 'redirect_path':
    case 'redirect_query':
    case 'redirect_origin':
    case 'redirect_post':
    case 'token_unreachable':
    case 'token_tls':
    case 'token_redirected':
    case 'token_refused':
    case 'token_html':
    case 'page_failed':
      return { to: setupAddress, text: 'Open setup' }
    case 'sandbox_failed':
      return { to: '#/setup/sandbox', text: 'Open the sandbox' }
    case 'refresh_template':
      return { to: refreshAddress, text: 'Edit the request' }
    default:
      return null
  }
}
