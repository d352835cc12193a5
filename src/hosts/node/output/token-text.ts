import type { CliLine } from '#contract/cli-output.ts'
import { escapeControls } from '#shared/text/visible.ts'
import type { Integration } from '#contract/integrations.ts'
import type { TokenState, TokenView } from '#contract/tokens.ts'
import { tokenStateAt } from '#contract/token-state.ts'
import { named } from '../command-line/nearest.ts'
import { colored } from './output.ts'
import type { Cells } from './table.ts'
import { facts, formatTime } from './text.ts'

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

export function stateOf(token: TokenView, nowMs: number): TokenState {
  return tokenStateAt(token, nowMs / 1000)
}

/** Throws `not_found` with the available IDs. */
export function tokenById(tokens: readonly TokenView[], tokenId: number): TokenView {
  return named('Token', String(tokenId), tokens, ({ id }) => [String(id)])
}

export function tokenJson(token: TokenView): CliLine<'token'> {
  const { status: _, initiated, expires, ...rest } = token
  return {
    ...rest,
    state: stateOf(token, Date.now()),
    initiatedAt: initiated === null ? null : initiated * 1000,
    expiresAt: expires === null ? null : expires * 1000,
  }
}

export function tokenCells(integrations: readonly Integration[]): Cells<CliLine<'token'>> {
  return {
    ID: ({ id }) => id,
    Integration: ({ integrationId }) =>
      integrations.find(({ id }) => id === integrationId)?.name ?? null,
    State: ({ state }) => [styles[state], state],
    'Ends in': ({ ending }) => ending && `…${ending}`,
    Expires: ({ expiresAt }) => (expiresAt === null ? 'unknown' : formatTime(expiresAt)),
    Obtained: ({ obtainedAt }) => formatTime(obtainedAt),
    Label: ({ label }) => ['bold', label || 'no label'],
  }
}

export function tokenText(token: TokenView): string {
  const state = stateOf(token, Date.now())
  const head = facts([
    ['Token', token.id],
    ['Label', token.label || 'none'],
    [
      'State',
      state === 'suspect' ? 'suspect: a request returned 401, so it may be revoked' : state,
    ],
    ['Ends in', token.ending ?? 'not shown'],
    ['Refresh token', token.hasRefreshToken ? 'yes' : 'none'],
    ['Initiated', token.initiated === null ? 'unknown' : formatTime(token.initiated * 1000)],
    ['Expires', expiryText(token)],
    ['Obtained', formatTime(token.obtainedAt)],
    ['Version', token.version],
  ])
  const findings = token.findings.map(
    ({ code, message }) => `${colored('yellow', escapeControls(code))}  ${escapeControls(message)}`,
  )
  const events = token.events.map(({ at, kind, detail }) =>
    `${colored('gray', formatTime(at))}  ${kind.padEnd(17)}  ${escapeControls(detail ?? '')}`.trimEnd(),
  )
  return [head, ...findings, ...events].join('\n')
}

function expiryText({ expires }: TokenView): string {
  return expires === null ? 'unknown' : formatTime(expires * 1000)
}

/** The newest valid one, else one that has expired or may be revoked, else a refused one: a call after a single 403 must not silently be sent without a token. */
export function defaultToken(tokens: readonly TokenView[], nowMs: number): TokenView | null {
  const rank = (token: TokenView): number => {
    if (token.status === 'suspect') return 1
    if (token.status !== 'good') return 2
    return stateOf(token, nowMs) === 'expired' ? 1 : 0
  }
  const [first] = tokens
    .filter(({ status }) => status !== 'forgotten' && status !== 'unavailable')
    .toSorted((a, b) => rank(a) - rank(b) || b.obtainedAt - a.obtainedAt || b.id - a.id)
  return first ?? null
}
