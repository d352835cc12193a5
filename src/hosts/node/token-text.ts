import { tokenStateAt, type TokenState, type TokenView } from '#contract/tokens.ts'
import { coloured } from './output.ts'
import { facts, formatTime } from './text.ts'
import { printable } from '../printable.ts'

const styles: Readonly<Record<TokenState, 'green' | 'yellow' | 'red' | 'gray'>> = {
  active: 'green',
  due: 'yellow',
  expired: 'yellow',
  suspect: 'yellow',
  revoked: 'red',
  invalid: 'red',
  forgotten: 'gray',
  unavailable: 'red',
}

/** The state of a token at `nowMs`, in milliseconds since the epoch. */
export function stateOf(token: TokenView, nowMs: number): TokenState {
  return tokenStateAt(token, nowMs / 1000)
}

function stateText(state: TokenState): string {
  return state === 'suspect' ? 'suspect: a call met 401, so it may be revoked' : state
}

/** A token as scripts read it; never the token itself. */
export function tokenEvent(token: TokenView, nowMs: number): object {
  return { event: 'token', ...token, state: stateOf(token, nowMs) }
}

/** One token on a line. */
export function tokenLine(token: TokenView, nowMs: number): string {
  const state = stateOf(token, nowMs)
  return [
    coloured('gray', String(token.id).padStart(4)),
    coloured(styles[state], state.padEnd(8)),
    coloured('bold', printable(token.label || 'no label')),
    coloured('gray', token.ending === null ? 'no ending' : `…${printable(token.ending)}`),
    coloured('gray', until(token)),
  ].join('  ')
}

/** All of one token as people read it, with its timeline. */
export function tokenText(token: TokenView, nowMs: number): string {
  const head = facts([
    ['Token', String(token.id)],
    ['Label', token.label || 'none'],
    ['State', stateText(stateOf(token, nowMs))],
    ['Ends in', token.ending ?? 'not shown'],
    ['Refresh token', token.hasRefreshToken ? 'there' : 'none'],
    ['Initiated', token.initiated === null ? 'not said' : formatTime(token.initiated * 1000)],
    ['Expires', until(token)],
    ['Obtained', formatTime(token.obtainedAt)],
    ['Version', String(token.version)],
  ])
  const findings = token.findings.map(
    ({ code, message }) => `${coloured('yellow', printable(code))}  ${printable(message)}`,
  )
  const events = token.events.map(({ at, kind, detail }) =>
    `${coloured('gray', formatTime(at))}  ${kind.padEnd(14)}  ${printable(detail ?? '')}`.trimEnd(),
  )
  return [head, ...findings, ...events].join('\n')
}

function until({ expires }: TokenView): string {
  return expires === null ? 'no end was said' : `until ${formatTime(expires * 1000)}`
}
