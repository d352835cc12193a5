import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { Header } from '#contract/models.ts'

/** An answer that is not the usual 200, ready to go out. */
export interface ReadyAnswer {
  readonly status: number
  /** Name, value, name, value; in this order, with these names. None of framing. */
  readonly rawHeaders: readonly string[]
  readonly body: Uint8Array
}

/** How long the body is and what becomes of the connection is ours to say: otherwise the next answer on it could not be read. */
const framing = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Statuses whose answers have no body (RFC 9110, 15.3.5, 15.3.6, 15.4.5). */
const bodiless = new Set([204, 205, 304])

/**
 * Makes an answer ready. Headers of framing (`Content-Length`, `Transfer-Encoding`, `Connection` and what belongs to it) are left out,
 * since they are said anew, and so is what is no header to HTTP. A `Date` that is given takes the place of ours. A status that has no
 * body gets none.
 */
export function readyAnswer(
  status: number,
  headers: readonly Header[],
  body: Uint8Array,
): ReadyAnswer {
  return {
    status,
    rawHeaders: headers.filter(canStand).flat(),
    body: bodiless.has(status) ? new Uint8Array() : body,
  }
}

/** Whether the answer says how long its body is. With 204 it must not (RFC 9110, 8.6); with 304 it would be that of another answer. */
export function saysLength({ status }: ReadyAnswer): boolean {
  return status !== 204 && status !== 304
}

function canStand(header: Header): boolean {
  return !framing.has(header[0].toLowerCase()) && isHeader(header)
}

/** Whether HTTP has it for a header: a token, and a value of Latin-1 without control characters (RFC 9110, 5.1 and 5.5). */
export function isHeader([name, value]: Header): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}
