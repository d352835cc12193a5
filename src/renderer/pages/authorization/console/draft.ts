import * as z from 'zod'
import { type ApiRequest, ApiParameter } from '#contract/api.ts'
import { maskPattern } from '#contract/masks.ts'
import { tokenStateAt } from '#contract/token-state.ts'
import type { TokenView } from '#contract/tokens.ts'

/** A request being edited. */
export const Draft = z.object({
  method: z.string(),
  path: z.string(),
  query: z.array(ApiParameter),
  headers: z.array(ApiParameter),
  body: z.string(),
  /** Null: without a token. Absent: the default token. */
  tokenId: z.number().nullable().optional(),
})
export type Draft = z.infer<typeof Draft>

export const emptyDraft: Draft = { method: 'GET', path: '', query: [], headers: [], body: '' }

const StoredDrafts = z.record(z.string(), Draft)

/** Parses the stored drafts, by integration. Returns none if they are invalid. */
export function readDrafts(stored: string | null): Record<string, Draft> {
  if (stored === null) return {}
  try {
    return StoredDrafts.parse(JSON.parse(stored))
  } catch {
    return {}
  }
}

const secretName = /authori[sz]ation|token|secret|cookie|password|api[-_]?key|^code$/i
const secretKey = /token|secret|password|code/i

/** Serializes the drafts, without values whose names suggest secrets. */
export function writeDrafts(drafts: Readonly<Record<string, Draft>>): string {
  const stored: Record<string, Draft> = {}
  for (const [id, draft] of Object.entries(drafts)) {
    stored[id] = {
      ...draft,
      path: hasSecretQuery(draft.path) ? '' : draft.path,
      query: draft.query.map(withoutSecret),
      headers: draft.headers.map(withoutSecret),
      body: hasSecretKey(draft.body) ? '' : draft.body,
    }
  }
  return JSON.stringify(stored)
}

function withoutSecret(parameter: ApiParameter): ApiParameter {
  return secretName.test(parameter.name) ? { ...parameter, value: '' } : parameter
}

/** Whether the body contains a quoted key that suggests a secret. Splits at quotes, since the text may be invalid JSON. */
function hasSecretKey(body: string): boolean {
  const pieces = body.split('"')
  return pieces.some(
    (piece, at) => at > 0 && secretKey.test(piece) && /^\s*:/.test(pieces[at + 1] ?? ''),
  )
}

function hasSecretQuery(path: string): boolean {
  const query = path.indexOf('?')
  if (query < 0) return false
  return [...new URLSearchParams(path.slice(query)).keys()].some((name) => secretName.test(name))
}

/**
 * Moves the query typed into the path to the query rows, before the existing rows, replacing those with the same name. A query that rows cannot
 * represent stays in the path.
 */
export function withQueryRows(draft: Draft): Draft {
  const at = draft.path.indexOf('?')
  if (at < 0 || draft.path.includes('#')) return draft
  const parts = draft.path
    .slice(at + 1)
    .trim()
    .split('&')
    .filter((part) => part !== '')
  const rows = parts.map(rowOf)
  if (rows.includes(null)) return draft
  const typed = rows.filter((row) => row !== null)
  const others = draft.query.filter(({ name }) => !typed.some((row) => row.name === name))
  return { ...draft, path: draft.path.slice(0, at), query: [...typed, ...others] }
}

/** The path with its query, for display. */
export function pathWithQuery({ path, query }: Pick<Draft, 'path' | 'query'>): string {
  const added = query.filter(({ on, name }) => on && name !== '')
  if (added.length === 0) return path
  const text = added.map(({ name, value }) => `${name}=${value}`).join('&')
  return `${path}${path.includes('?') ? '&' : '?'}${text}`
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

/** Decodes `name=value`. Null if it has no value or cannot be decoded. */
function rowOf(part: string): ApiParameter | null {
  const [name = '', ...rest] = part.split('=')
  if (name === '' || rest.length === 0) return null
  try {
    return { name: decoded(name), value: decoded(rest.join('=')), on: true }
  } catch {
    return null
  }
}

/** Returns the draft as a request, without unnamed rows. */
export function requestOf(draft: Draft, integrationId: number, tokenId: number | null): ApiRequest {
  return {
    integrationId,
    tokenId,
    method: draft.method,
    path: draft.path.trim(),
    query: draft.query.filter(named),
    headers: draft.headers.filter(named),
    body: draft.body,
  }
}

/** The token that is sent with the draft. `tokens`: those that have a value, newest first. `now`: in seconds. */
export function tokenOf(
  { tokenId }: Draft,
  tokens: readonly TokenView[],
  now: number,
): TokenView | null {
  if (tokenId === null) return null
  const alive = tokens.find((token) => ['active', 'due'].includes(tokenStateAt(token, now)))
  const latest = alive ?? tokens[0]
  // A later authorization replaces a token that was deleted, but no earlier one, which may be of another user.
  const byDefault = latest && latest.id > (tokenId ?? 0) ? latest : null
  return tokens.find(({ id }) => id === tokenId) ?? byDefault
}

function named({ name }: ApiParameter): boolean {
  return name.trim() !== ''
}

export function draftOf({ method, path, query, headers, body, tokenId }: ApiRequest): Draft {
  return { method, path, query, headers, body, tokenId }
}

/** Whether the draft contains the marker of a masked secret, which would be sent literally. */
export function hasMarker({ path, query, headers, body }: Draft): boolean {
  const parts = [path, body, ...query.map(({ value }) => value), ...headers.map((h) => h.value)]
  return parts.some((part) => part.search(maskPattern) >= 0)
}
