import { toBytes } from '../../platform/byte-text.ts'
import type { ScriptResult } from '#contract/scripts.ts'
import type { Header } from '#contract/models.ts'
import { hasCredentials, isHttp } from '#shared/text/address.ts'
import { quoteForeign } from '#shared/text/format.ts'
import { isHeader } from '../../receiving/listener/respond/rules.ts'
import { maxScriptBodyBytes, ScriptError } from './messages.ts'
import { writtenBody } from './written-body.ts'

const maxHeaders = 100
const maxDelayMs = 120_000
const maxUrlLength = 8000
const framing = new Set(['content-length', 'transfer-encoding'])

class ResultError extends ScriptError {
  constructor(message: string) {
    super('result', message)
  }
}

type Fields = Readonly<Record<string, unknown>>

/** `body`: of the delivery, as Latin-1. Throws `ScriptError` with a sentence for what is neither a request nor a response. */
export function readResult(returned: unknown, body: string): ScriptResult {
  if (returned === null || returned === undefined) return { kind: 'none' }
  if (!isFields(returned)) {
    throw new ResultError(
      `The script returned ${describe(returned)}. Return an object, or nothing.`,
    )
  }
  if (Object.hasOwn(returned, 'forward')) return readSkip(returned)
  return ['status', 'drop', 'delayMs'].some((key) => Object.hasOwn(returned, key))
    ? readResponse(returned, body)
    : readRequest(returned, body)
}

function readSkip(fields: Fields): ScriptResult {
  assertKeys(fields, ['forward'], '`forward: false`')
  if (fields['forward'] !== false) throw new ResultError('`forward` can only be false.')
  return { kind: 'skip' }
}

function readResponse(fields: Fields, original: string): ScriptResult {
  const { status, drop, delayMs = 0 } = fields
  if (!isIntegerIn(delayMs, 0, maxDelayMs)) {
    throw new ResultError(`\`delayMs\` must be a whole number from 0 to ${maxDelayMs}.`)
  }
  if (drop !== undefined) {
    assertKeys(fields, ['drop', 'delayMs'], '`drop: true`')
    if (drop !== true) throw new ResultError('`drop` can only be true.')
    return { kind: 'response', status: null, headers: [], body: '', delayMs }
  }
  assertKeys(fields, ['status', 'headers', 'body', 'delayMs'], 'a response')
  if (!isIntegerIn(status, 200, 599)) {
    throw new ResultError('A response needs a `status`: a whole number from 200 to 599.')
  }
  const headers = readHeaders(fields['headers']).map(([name, value]): Header => {
    if (value === null)
      throw new ResultError(`The header ${quote(name)} of a response must be a string.`)
    return [name, value]
  })
  return {
    kind: 'response',
    status,
    headers,
    body: readBody(fields['body'], original)?.toString() ?? '',
    delayMs,
  }
}

function readRequest(fields: Fields, original: string): ScriptResult {
  assertKeys(fields, ['headers', 'body', 'url', 'sign'], 'a request')
  const { url = null, sign = 'auto' } = fields
  if (url !== null && !isHttpUrl(url)) {
    throw new ResultError(
      '`url` must be a complete http:// or https:// address, without a user name.',
    )
  }
  if (sign !== 'auto' && sign !== 'keep' && sign !== 'none') {
    throw new ResultError("`sign` must be 'auto', 'keep' or 'none'.")
  }
  const body = readBody(fields['body'], original)
  return {
    kind: 'request',
    headers: readHeaders(fields['headers']),
    body: body && new Uint8Array(body),
    url,
    sign,
  }
}

function readBody(body: unknown, original: string): Buffer | null {
  if (body === undefined) return null
  if (typeof body !== 'string' && (typeof body !== 'object' || body === null)) {
    throw new ResultError('`body` must be a string, or an object or array that is sent as JSON.')
  }
  const text = typeof body === 'string' ? toBytes(body) : writtenBody(original, body)
  if (text.length > maxScriptBodyBytes) {
    throw new ResultError('The returned body is larger than 1 MiB, the limit for scripts.')
  }
  return Buffer.from(text, 'latin1')
}

function readHeaders(headers: unknown): [string, string | null][] {
  if (headers === undefined) return []
  if (!isFields(headers)) {
    throw new ResultError("`headers` must be an object, such as { 'x-name': 'value' }.")
  }
  const entries = Object.entries(headers)
  if (entries.length > maxHeaders)
    throw new ResultError(`There are more than ${maxHeaders} headers.`)
  // Those of the delivery come back when a script copies its headers.
  const own = entries.filter(([name]) => !framing.has(name.toLowerCase()))
  return own.map(([name, value]) => {
    if (value !== null && typeof value !== 'string') {
      throw new ResultError(`The header ${quote(name)} must be a string, or null to remove it.`)
    }
    if (!isHeader([name, value ?? ''])) {
      throw new ResultError(
        `The header ${quote(name)} cannot be sent. Use letters, digits and hyphens in the name, and only Latin-1 characters without line breaks in the value.`,
      )
    }
    return [name, value]
  })
}

function assertKeys(fields: Fields, known: readonly string[], what: string): void {
  const unknown = Object.keys(fields).filter((key) => !known.includes(key))
  if (unknown.length === 0) return
  const given = unknown.slice(0, 5).map(quote).join(', ')
  throw new ResultError(`${given} cannot be used in ${what}. It can have: ${known.join(', ')}.`)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isIntegerIn(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
}

function isHttpUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > maxUrlLength || !URL.canParse(value)) return false
  return isHttp(new URL(value)) && !hasCredentials(value)
}

function describe(value: unknown): string {
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}

function quote(text: string): string {
  return quoteForeign(text.slice(0, 100))
}
