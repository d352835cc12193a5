import type { Header } from '#contract/models.ts'
import { base64Of, exactText } from '../body-text.ts'
import type { HarContent, HarPair, HarPostData } from './shape.ts'

export function pairsOf(headers: readonly Header[]): HarPair[] {
  return headers.map(([name, value]) => ({ name, value }))
}

/** The first value under a name; empty: there is none. */
export function valueOf(headers: readonly Header[], lowerName: string): string {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1] ?? ''
}

/** `1.1` as HAR says it. */
export function versionOf(httpVersion: string): string {
  return httpVersion === '' ? '' : `HTTP/${httpVersion}`
}

/** The query of a request target or an address, decoded, in order and with duplicates. */
export function queryOf(target: string): HarPair[] {
  const [withoutHash = ''] = target.split('#', 1)
  const mark = withoutHash.indexOf('?')
  if (mark === -1) return []
  return [...new URLSearchParams(withoutHash.slice(mark + 1))].map(([name, value]) => ({
    name,
    value,
  }))
}

interface PostedBody {
  readonly postData?: HarPostData
  /** HAR has no encoding for what is posted, so bytes stand in a place of our own. */
  readonly bodyBase64?: string
}

export function postedBody(body: Uint8Array, headers: readonly Header[]): PostedBody {
  if (body.byteLength === 0) return {}
  const mimeType = valueOf(headers, 'content-type')
  const text = exactText(body)
  if (text !== null) return { postData: { mimeType, text } }
  return {
    postData: { mimeType, text: '', comment: 'Not UTF-8: its bytes are in _tabscope.bodyBase64.' },
    bodyBase64: base64Of(body),
  }
}

/** `bytes`: how many came, which may be more than are kept. */
export function contentOf(
  body: Uint8Array | null,
  headers: readonly Header[],
  bytes: number,
): HarContent {
  const content = { size: bytes, mimeType: valueOf(headers, 'content-type') }
  if (!body || body.byteLength === 0) return content
  const text = exactText(body)
  return text === null
    ? { ...content, text: base64Of(body), encoding: 'base64' }
    : { ...content, text }
}
