import { isUtf8 } from 'node:buffer'
import { inlineBody, type LogBody, type LogDelivery, type LogPart } from '#contract/event-log.ts'
import type { ExportedDelivery } from '../items.ts'

/** Bytes of a part: three make four characters, without padding but for the last. */
const partBytes = 768 * 1024
/** Bodies within one line, in bytes: text may take six characters a byte, and a line has an end (`longestLine`). */
const lineBodies = 2 * inlineBody

/** The line of a delivery, then those of its large bodies. Without line breaks. */
export function* deliveryLines({
  fields,
  body,
  omitted,
  attempts,
}: ExportedDelivery): Generator<string, void, undefined> {
  const later: { readonly key: number; readonly bytes: Uint8Array }[] = []
  let left = lineBodies
  const bodyOf = (bytes: Uint8Array): LogBody => {
    if (bytes.byteLength <= Math.min(inlineBody, left)) {
      left -= bytes.byteLength
      return inlineOf(bytes)
    }
    const key = later.length
    later.push({ key, bytes })
    return { parts: Math.ceil(bytes.byteLength / partBytes), key }
  }
  const line: LogDelivery = {
    kind: 'delivery',
    ...fields,
    body: omitted === null ? bodyOf(body) : { omitted },
    attempts: attempts.map((attempt) => ({
      ...attempt.fields,
      requestBody: attempt.requestBody && bodyOf(attempt.requestBody),
      answerBody: attempt.answerBody && bodyOf(attempt.answerBody),
    })),
  }
  yield JSON.stringify(line)
  for (const { key, bytes } of later) {
    for (let at = 0; at < bytes.byteLength; at += partBytes) {
      const part: LogPart = {
        kind: 'part',
        delivery: fields.id,
        key,
        index: at / partBytes,
        base64: bufferOf(bytes.subarray(at, at + partBytes)).toString('base64'),
      }
      yield JSON.stringify(part)
    }
  }
}

function inlineOf(bytes: Uint8Array): LogBody {
  const buffer = bufferOf(bytes)
  // A Buffer keeps a byte order mark, which a TextDecoder would drop.
  return isUtf8(bytes) ? { text: buffer.toString() } : { base64: buffer.toString('base64') }
}

/** The same bytes, not a copy of them. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
