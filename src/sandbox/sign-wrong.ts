import { createHash, createHmac } from 'node:crypto'
import { SandboxError } from './errors.ts'

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

export type WrongWay = keyof typeof ways

/** The way of this name. Throws `SandboxError` (`bad_sign`) with the names that there are. */
export function wrongWay(name: string): WrongWay {
  for (const way in ways) if (way === name && isWay(way)) return way
  throw new SandboxError(
    'bad_sign',
    `“${name}” is no way to sign wrongly. Use one of: ${Object.keys(ways).join(', ')}.`,
  )
}

function isWay(name: string): name is WrongWay {
  return Object.hasOwn(ways, name)
}

/** The value of the signature header, made in that wrong way. */
export function signWrong(way: WrongWay, body: Uint8Array, secret: string): string {
  const sign: Sign = ways[way]
  return sign(Buffer.from(body).toString('utf8'), secret)
}
