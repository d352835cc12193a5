import { isUtf8 } from 'node:buffer'
import { inlineBody, type LogDelivery, type LogPart } from '#contract/event-log.ts'
import type { ExportedDelivery } from '../items.ts'
import { bufferOf, type LineWriter } from './line-writer.ts'

/** Bytes of a part: three make four characters, without padding but for the last. */
const partBytes = 768 * 1024
/** Bodies within one line, in bytes: text may take six characters a byte, and a line has an end (`longestLine`). */
const lineBodies = 2 * inlineBody

interface LaterBody {
  readonly key: number
  readonly bytes: Uint8Array
}

/** Writes the line of a delivery, then those of its large bodies; yields after each. Keys stand in the order of the contract. */
export function* writeDelivery(
  to: LineWriter,
  { fields, body, omitted, attempts }: ExportedDelivery,
): Generator<void, void, undefined> {
  const later: LaterBody[] = []
  let left = lineBodies
  const writeBody = (bytes: Uint8Array): void => {
    if (bytes.byteLength <= Math.min(inlineBody, left)) {
      left -= bytes.byteLength
      writeInline(to, bytes)
      return
    }
    const key = later.length
    later.push({ key, bytes })
    to.text(JSON.stringify({ parts: Math.ceil(bytes.byteLength / partBytes), key }))
  }
  const writeBodyOrNull = (name: string, bytes: Uint8Array | null): void => {
    to.text(`,"${name}":`)
    if (bytes === null) to.text('null')
    else writeBody(bytes)
  }

  to.text(`{"kind":"delivery",${inside(fields)},"body":`)
  if (omitted === null) writeBody(body)
  else to.text(JSON.stringify({ omitted }))
  if (attempts.length === 0) to.text(',"attempts":[]}')
  else {
    to.text(',"attempts":[')
    for (const [index, attempt] of attempts.entries()) {
      to.text(`${index === 0 ? '' : ','}{${inside(attempt.fields)}`)
      writeBodyOrNull('requestBody', attempt.requestBody)
      writeBodyOrNull('answerBody', attempt.answerBody)
      to.text('}')
    }
    to.text(']}')
  }
  to.endLine()
  yield
  for (const { key, bytes } of later) yield* writeParts(to, fields.id, key, bytes)
}

/** An object without its braces. */
function inside(object: Omit<LogDelivery, 'kind' | 'body' | 'attempts'> | object): string {
  return JSON.stringify(object).slice(1, -1)
}

function writeInline(to: LineWriter, bytes: Uint8Array): void {
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
