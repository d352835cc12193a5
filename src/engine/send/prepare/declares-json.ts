import type { Header } from '#contract/models.ts'
import { factsOf } from './body-facts.ts'

/** `application/json`, or a type that is written in it (RFC 6838, 4.2.8), with parameters or without. */
export function saysJson(headers: readonly Header[]): boolean {
  return headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' &&
      /^\s*application\/(?:[^;]*\+)?json\s*(?:;|$)/i.test(value),
  )
}

/** Of no bytes at all nothing is said. */
export function isNoJson(body: Uint8Array): boolean {
  const { kind } = factsOf(body)
  return kind === 'not_json' || kind === 'not_utf8'
}
