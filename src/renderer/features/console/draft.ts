import { z } from 'zod'
import type { ApiRequest } from '#contract/api.ts'
import { ApiParameter } from '#contract/api.ts'
import { maskPattern } from '#contract/masks.ts'

/** A request as it is being written. */
export const Draft = z.object({
  method: z.string(),
  path: z.string(),
  query: z.array(ApiParameter),
  headers: z.array(ApiParameter),
  body: z.string(),
  /** Null: without a token. Absent: not chosen, the best one there is. */
  tokenId: z.number().nullable().optional(),
})
export type Draft = z.infer<typeof Draft>

export const emptyDraft: Draft = { method: 'GET', path: '', query: [], headers: [], body: '' }

const Kept = z.record(z.string(), Draft)

/** What was kept of the drafts, by integration; nothing of what cannot be read. */
export function readDrafts(kept: string | null): Record<string, Draft> {
  if (kept === null) return {}
  try {
    return Kept.parse(JSON.parse(kept))
  } catch {
    return {}
  }
}

const telling = /authori[sz]ation|token|secret|cookie|password|api[-_]?key|^code$/i
const tellingKey = /token|secret|password|code/i

/** The drafts as they are kept: values whose name says that they are secret are left out. */
export function writeDrafts(drafts: Readonly<Record<string, Draft>>): string {
  const kept: Record<string, Draft> = {}
  for (const [id, draft] of Object.entries(drafts)) {
    kept[id] = {
      ...draft,
      path: isTelling(draft.path) ? '' : draft.path,
      query: draft.query.map(withoutSecret),
      headers: draft.headers.map(withoutSecret),
      body: hasTellingKey(draft.body) ? '' : draft.body,
    }
  }
  return JSON.stringify(kept)
}

function withoutSecret(parameter: ApiParameter): ApiParameter {
  return telling.test(parameter.name) ? { ...parameter, value: '' } : parameter
}

/** A telling word stands between quotes, with a colon behind them. Text is cut at all quotes, since it need not be good JSON. */
function hasTellingKey(body: string): boolean {
  const pieces = body.split('"')
  return pieces.some(
    (piece, at) => at > 0 && tellingKey.test(piece) && /^\s*:/.test(pieces[at + 1] ?? ''),
  )
}

/** A path may carry a query of its own. */
function isTelling(path: string): boolean {
  const query = path.indexOf('?')
  if (query < 0) return false
  return [...new URLSearchParams(path.slice(query)).keys()].some((name) => telling.test(name))
}

/**
 * The draft with the query that was typed behind its path as rows: before those that are there, and in place of those with the same names. A
 * query that rows cannot hold stays in the path.
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

/** A path with its query, as it is read. */
export function pathWithQuery({ path, query }: Pick<Draft, 'path' | 'query'>): string {
  const added = query.filter(({ on, name }) => on && name !== '')
  if (added.length === 0) return path
  const text = added.map(({ name, value }) => `${name}=${value}`).join('&')
  return `${path}${path.includes('?') ? '&' : '?'}${text}`
}

/** `name=value` decoded; null: it has no value, or cannot be decoded. */
function rowOf(part: string): ApiParameter | null {
  const [name = '', ...rest] = part.split('=')
  if (name === '' || rest.length === 0) return null
  try {
    const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))
    return { name: decoded(name), value: decoded(rest.join('=')), on: true }
  } catch {
    return null
  }
}

/** The draft as a request: rows without a name are left out. */
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

function named({ name }: ApiParameter): boolean {
  return name.trim() !== ''
}

/** A request to write on. */
export function draftOf({ method, path, query, headers, body, tokenId }: ApiRequest): Draft {
  return { method, path, query, headers, body, tokenId }
}

/** Whether two drafts would send the same. */
export function sameDraft(first: Draft, second: Draft): boolean {
  const sent = (draft: Draft): string =>
    JSON.stringify({ ...requestOf(draft, 0, null), tokenId: draft.tokenId ?? null })
  return sent(first) === sent(second)
}

/** Whether a secret stands in it as a marker, which would be sent as it is. */
export function hasMarker({ path, query, headers, body }: Draft): boolean {
  const parts = [path, body, ...query.map(({ value }) => value), ...headers.map((h) => h.value)]
  return parts.some((part) => part.search(maskPattern) >= 0)
}
