import { createHash, createHmac } from 'node:crypto'

type Sign = (body: string, secret: string) => string

const hex = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex')

/** Common ways to sign wrongly, to see how a receiver tells of them. Each gives the value of the signature header. */
const ways = {
  base64: (body, secret) => createHmac('sha256', secret).update(body).digest('base64'),
  prefix: (body, secret) => `sha256=${hex(body, secret)}`,
  pretty: (body, secret) => hex(JSON.stringify(JSON.parse(body), null, 2), secret),
  'line-break': (body, secret) => hex(`${body}\n`, secret),
  'secret-line-break': (body, secret) => hex(body, `${secret}\n`),
  'other-secret': (body, secret) => hex(body, `not ${secret}`),
  sha1: (body, secret) => createHmac('sha1', secret).update(body).digest('hex'),
  plain: (body) => createHash('sha256').update(body).digest('hex'),
} as const satisfies Record<string, Sign>

export type SignatureFault = keyof typeof ways

/** The value of the signature header, made in that wrong way. */
export function signWrong(way: SignatureFault, body: Uint8Array, secret: string): string {
  const sign: Sign = ways[way]
  return sign(Buffer.from(body).toString('utf8'), secret)
}
