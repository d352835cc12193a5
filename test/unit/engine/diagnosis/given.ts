import { createHmac } from 'node:crypto'
import type { Header } from '#contract/models.ts'
import type { DiagnoseInput } from '#engine/diagnosis/diagnose.ts'
import type { Captured, Keyring } from '#engine/diagnosis/subject.ts'

export const secret = 'Kq3-vX9_tavern/0123456789'
export const previousSecret = 'pRv8~zQ04711'

/** Compact, with what libraries write differently: non-ASCII characters, slashes, <, and unsorted keys. */
export const text =
  '{"type":"ORDER_PLACED","targetUuid":"o/1","createdAt":"2026-03-14T21:00:00.000Z","data":{"orderName":"Café <A-17>","total":42.5,"itemNames":["Ale & Co","Crêpe"]}}'
export const body = Buffer.from(text)

type Bytes = string | Uint8Array

export function hmac(of: Bytes, key: Bytes = secret, algorithm = 'sha256'): Buffer {
  return createHmac(algorithm, key).update(of).digest()
}

export function hex(of: Bytes, key: Bytes = secret): string {
  return hmac(of, key).toString('hex')
}

export interface Given {
  readonly body?: Bytes
  /** Value of the expected header; null: the header is missing. */
  readonly signature?: string | null
  readonly headers?: readonly Header[]
  readonly captured?: Partial<Captured>
  readonly keyring?: Partial<Keyring>
  readonly candidate?: string
}

export function inputOf(given: Given): DiagnoseInput {
  const bytes = Buffer.from(given.body ?? body)
  const { signature = 'f'.repeat(64) } = given
  return {
    captured: {
      method: 'POST',
      path: '/hooks/main',
      headers: [
        ['Host', '127.0.0.1:4780'],
        ['Content-Length', String(bytes.byteLength)],
        ...(signature === null ? [] : [['X-Service-Signature', signature] satisfies Header]),
        ...(given.headers ?? []),
      ],
      trailers: [],
      brand: 'Service',
      arrival: 'complete',
      bytes: bytes.byteLength,
      body: bytes,
      ...given.captured,
    },
    keyring: {
      endpoint: { name: 'Main', applicationId: 'app-1', current: 'set', previous: 'set' },
      current: secret,
      previous: previousSecret,
      others: [
        { words: 'the current secret of the endpoint “Bar”', secret: 'bR7#kkZq1-99' },
        { words: 'the previous secret of the endpoint “Bar”', secret: 'oB5$yyWp3-98' },
      ],
      access: [
        { words: 'the API access secret of the integration “Pier 9”', secret: 'aC2%Lw88xZ-77' },
      ],
      identifiers: [{ words: 'the access id of “Pier 9”', secret: 'pier-9-id' }],
      applications: [{ endpoint: 'Bar', id: 'app-bar' }],
      ...given.keyring,
    },
    ...(given.candidate === undefined ? {} : { candidate: given.candidate }),
  }
}

/** A delivery with a wrong signature, and a similar one. */
export interface Case {
  /** The expected causes: all that match. */
  readonly codes: readonly string[]
  readonly name: string
  readonly given: Given
  /** The first of the codes must not match here. */
  readonly near: Given
  /** Part of the sentence that describes the match. */
  readonly says?: string
}

/** `codes`: separated by blanks. */
export function caseOf(
  codes: string,
  name: string,
  given: Given,
  near: Given,
  says?: string,
): Case {
  return { codes: codes.split(' '), name, given, near, ...(says !== undefined && { says }) }
}
