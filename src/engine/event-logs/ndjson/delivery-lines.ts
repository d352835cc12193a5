import { isUtf8 } from 'node:buffer'
import { inlineBody, lineAttempts, lineBodies, type LogPart } from '#contract/event-log.ts'
import type { ExportedAttempt, ExportedDelivery } from '../items.ts'
import { asBuffer } from '../format-parts/text.ts'
import type { LineWriter } from './line-writer.ts'

/** Size of a part in bytes: a multiple of three, so that only the last part has Base64 padding. */
const partBytes = 768 * 1024

/** Distributes the bodies of a delivery: into its line as long as they fit, otherwise into separate lines in this order. */
interface BodyQueue {
  lineBytesLeft: number
  readonly inParts: Uint8Array[]
}

/**
 * Writes the line of a delivery, then the lines of attempts that do not fit into it, then the lines of its large bodies. Yields after each line. Keys are
 * in the order of the contract.
 */
export function* writeDelivery(
  writer: LineWriter,
  { fields, body, omitted, attempts }: ExportedDelivery,
): Generator<void, void, undefined> {
  const bodies: BodyQueue = { lineBytesLeft: lineBodies, inParts: [] }
  writer.text(`{"kind":"delivery",${jsonMembers(fields)},"body":`)
  if (omitted === null) writeBody(writer, body, bodies)
  else writer.text(JSON.stringify({ omitted }))
  writer.text(',"attempts":[')
  let size = 0
  let written = 0
  for (const attempt of attempts) {
    const fieldsJson = jsonMembers(attempt.fields)
    size += fieldsJson.length
    if (size > lineAttempts) break
    if (written > 0) writer.text(',')
    writeAttempt(writer, fieldsJson, attempt, bodies)
    written += 1
  }
  writer.text(written < attempts.length ? `],"moreAttempts":${attempts.length - written}}` : ']}')
  writer.endLine()
  yield
  for (const attempt of attempts.slice(written)) {
    bodies.lineBytesLeft = lineBodies
    writer.text(`{"kind":"attempt","delivery":${fields.id},"attempt":`)
    writeAttempt(writer, jsonMembers(attempt.fields), attempt, bodies)
    writer.text('}')
    writer.endLine()
    yield
  }
  for (const [key, bytes] of bodies.inParts.entries())
    yield* writeParts(writer, fields.id, key, bytes)
}

/** Returns an object as JSON without its braces. */
function jsonMembers(object: object): string {
  return JSON.stringify(object).slice(1, -1)
}

/** `fieldsJson`: the fields of the attempt as JSON, without braces. */
function writeAttempt(
  writer: LineWriter,
  fieldsJson: string,
  { requestBody, answerBody }: ExportedAttempt,
  bodies: BodyQueue,
): void {
  writer.text(`{${fieldsJson},"requestBody":`)
  if (requestBody === null) writer.text('null')
  else writeBody(writer, requestBody, bodies)
  writer.text(',"answerBody":')
  if (answerBody === null) writer.text('null')
  else writeBody(writer, answerBody, bodies)
  writer.text('}')
}

function writeBody(writer: LineWriter, bytes: Uint8Array, bodies: BodyQueue): void {
  if (bytes.byteLength > Math.min(inlineBody, bodies.lineBytesLeft)) {
    const key = bodies.inParts.length
    bodies.inParts.push(bytes)
    writer.text(JSON.stringify({ parts: Math.ceil(bytes.byteLength / partBytes), key }))
    return
  }
  bodies.lineBytesLeft -= bytes.byteLength
  if (isUtf8(bytes)) {
    writer.text('{"text":')
    writer.quoted(bytes)
    writer.text('}')
  } else writer.text(`{"base64":"${asBuffer(bytes).toString('base64')}"}`)
}

function* writeParts(
  writer: LineWriter,
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
      base64: asBuffer(bytes.subarray(at, at + partBytes)).toString('base64'),
    }
    writer.text(JSON.stringify(part))
    writer.endLine()
    yield
  }
}
