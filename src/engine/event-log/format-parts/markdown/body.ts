import { prettyJson } from '#contract/json-text.ts'
import type { ExportedDelivery } from '../../items.ts'
import { exactText } from '../body-text.ts'
import { fence, fenceOfBytes } from './fence.ts'
import { sentence } from './inline.ts'

/** Larger ones are not laid out: only their beginning is shown. In bytes. */
const largestPretty = 256 * 1024

/** The body for people: JSON laid out, with every value as it came. */
export function bodyText({ body, omitted }: ExportedDelivery): string {
  if (omitted !== null) return `Body: not here. ${sentence(omitted)}\n`
  if (body.byteLength === 0) return 'Body: empty\n'
  if (body.byteLength > largestPretty) {
    // Where the beginning is no text, nothing else is looked at.
    return exactText(body) === null ? binary(body) : `Body:\n\n${fenceOfBytes(body, '')}`
  }
  const text = exactText(body)
  if (text === null) return binary(body)
  const pretty = prettyJson(text)
  return `Body:\n\n${pretty === null ? fence(text, '') : fence(pretty, 'json')}`
}

function binary(body: Uint8Array): string {
  return `Body: ${body.byteLength} bytes that are no text\n`
}
