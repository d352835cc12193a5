import { isUtf8 } from 'node:buffer'
import { setImmediate as turn } from 'node:timers/promises'
import { unmaskable, type Masker } from '../records/masker.ts'
import { maskSecretFields } from '../records/secret-fields.ts'
import { undo } from './undo-encoding.ts'
import type { Hop } from './way.ts'

/** A text longer than this is not looked through for fields, in bytes; known secrets are found in any. */
const fieldsWithin = 1024 * 1024

/** A larger body is looked through in pieces of so many bytes. */
const pieceBytes = 256 * 1024

/** A hop, its answer's body ready to be looked through. */
export interface Plain {
  readonly hop: Hop
  /** The answer's body to look through; null: it cannot be. */
  readonly text: Uint8Array | null
  readonly coded: boolean
}

export async function plainOf(hop: Hop): Promise<Plain> {
  if (!hop.answer) return { hop, text: null, coded: false }
  const undone = await undo(hop.answer.body, hop.answer.headers)
  switch (undone.state) {
    case 'plain':
      return { hop, text: hop.answer.body, coded: false }
    case 'decoded':
      return { hop, text: undone.bytes, coded: true }
    case 'unsearchable':
      return { hop, text: null, coded: true }
  }
}

/** Takes in what the body says is a secret, by the names of its fields. */
export function learnBody(masker: Masker, { text }: Plain): void {
  if (text && text.byteLength <= fieldsWithin) maskBody(text, masker)
}

/** The same bytes when there is nothing to hold back. What is text is looked through for fields by their names as well. */
function maskBody(body: Uint8Array, masker: Masker): Uint8Array {
  if (!isUtf8(body)) return masker.maskBytes(body)
  const text = bytesOf(body).toString()
  const masked = maskSecretFields(masker, text)
  return masked === text ? body : Buffer.from(masked)
}

/** The same for a large one: in pieces, so that nothing waits for it as long as there is nothing to be found. */
async function maskLarge(body: Uint8Array, masker: Masker): Promise<Uint8Array> {
  // A piece reaches so far into the next that no value is cut in two.
  const overlap = masker.longestForm
  for (let at = 0; at < body.byteLength; at += pieceBytes) {
    const piece = body.subarray(at, at + pieceBytes + overlap)
    if (masker.maskBytes(piece) !== piece) return masker.maskBytes(body)
    await turn()
  }
  return body
}

/** What is kept of a body, secrets as markers. */
export interface Kept {
  readonly body: Uint8Array
  /** Whether it is still encoded as its header says. */
  readonly coded: boolean
  /** Whether there are markers in it. */
  readonly masked: boolean
  readonly note?: string
}

export const nothing: Kept = { body: new Uint8Array(), coded: false, masked: false }

/** The same bytes, not a copy. */
export function bytesOf(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

export async function keptOf({ hop, text, coded }: Plain, masker: Masker): Promise<Kept> {
  if (!hop.answer) return nothing
  if (!text) {
    return {
      ...nothing,
      note: 'The body is not kept: decoded it is larger than 64 MiB, and could not be looked through for secrets.',
    }
  }
  const body =
    text.byteLength > fieldsWithin ? await maskLarge(text, masker) : maskBody(text, masker)
  if (bytesOf(body).equals(Buffer.from(unmaskable))) {
    return {
      ...nothing,
      note: 'The body is not kept: it repeats the beginnings of secrets so often that it could not be looked through for them.',
    }
  }
  const masked = body !== text
  if (!coded) return { body, coded: true, masked }
  if (!masked) return { body: hop.answer.body, coded: true, masked }
  return {
    body,
    coded: false,
    masked,
    note: 'The body is kept decoded: under its encoding it held a secret, which is a marker now.',
  }
}
