import { isUtf8 } from 'node:buffer'
import { inlineBody, lineAttempts, lineBodies, type LogPart } from '#contract/event-log.ts'
import type { ExportedAttempt, ExportedDelivery } from '../items.ts'
import { bufferOf, type LineWriter } from './line-writer.ts'

/** Bytes of a part: three make four characters, without padding but for the last. */
const partBytes = 768 * 1024

/** Where the bodies of a delivery go: into the line as long as it has room, and else into lines of their own, in this order. */
interface Bodies {
  left: number
  readonly later: Uint8Array[]
}

/**
 * Writes the line of a delivery, then those of the attempts that have no room in it, then those of its large bodies; yields after each. Keys
 * stand in the order of the contract.
 */
export function* writeDelivery(
  to: LineWriter,
  { fields, body, omitted, attempts }: ExportedDelivery,
): Generator<void, void, undefined> {
  const bodies: Bodies = { left: lineBodies, later: [] }
  to.text(`{"kind":"delivery",${inside(fields)},"body":`)
  if (omitted === null) writeBody(to, body, bodies)
  else to.text(JSON.stringify({ omitted }))
  to.text(',"attempts":[')
  let size = 0
  let written = 0
  for (const attempt of attempts) {
    const text = inside(attempt.fields)
    size += text.length
    if (size > lineAttempts) break
    if (written > 0) to.text(',')
    writeAttempt(to, text, attempt, bodies)
    written += 1
  }
  to.text(written < attempts.length ? `],"moreAttempts":${attempts.length - written}}` : ']}')
  to.endLine()
  yield
  for (const attempt of attempts.slice(written)) {
    bodies.left = lineBodies
    to.text(`{"kind":"attempt","delivery":${fields.id},"attempt":`)
    writeAttempt(to, inside(attempt.fields), attempt, bodies)
    to.text('}')
    to.endLine()
    yield
  }
  for (const [key, bytes] of bodies.later.entries()) yield* writeParts(to, fields.id, key, bytes)
}

/** An object without its braces. */
function inside(object: object): string {
  return JSON.stringify(object).slice(1, -1)
}

/** `text`: its fields, without braces. */
function writeAttempt(
  to: LineWriter,
  text: string,
  { requestBody, answerBody }: ExportedAttempt,
  bodies: Bodies,
): void {
  to.text(`{${text},"requestBody":`)
  if (requestBody === null) to.text('null')
  else writeBody(to, requestBody, bodies)
  to.text(',"answerBody":')
  if (answerBody === null) to.text('null')
  else writeBody(to, answerBody, bodies)
  to.text('}')
}

function writeBody(to: LineWriter, bytes: Uint8Array, bodies: Bodies): void {
  if (bytes.byteLength > Math.min(inlineBody, bodies.left)) {
    const key = bodies.later.length
    bodies.later.push(bytes)
    to.text(JSON.stringify({ parts: Math.ceil(bytes.byteLength / partBytes), key }))
    return
  }
  bodies.left -= bytes.byteLength
  if (isUtf8(bytes)) {
    to.text('{"text":')
    to.quoted(bytes)
    to.text('}')
  } else to.text(`{"base64":"${bufferOf(bytes).toString('base64')}"}`)
}

function* writeParts(
  to: LineWriter,
  delivery: number,
  key: number,
  bytes: Uint8Array,
): Generator<void, void, undefined> {
  for (let at = 0; at < bytes.byteLength; at += partBytes) {
    const part: LogPart = {
      kind: 'part',
      delivery,
      key,
      index: at / partBytes,
      base64: bufferOf(bytes.subarray(at, at + partBytes)).toString('base64'),
    }
    to.text(JSON.stringify(part))
    to.endLine()
    yield
  }
}
