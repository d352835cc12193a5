import { createHash } from 'node:crypto'
import { identity } from '../rehearse.ts'
import { correctSteps, header, hmac } from '../handler.ts'
import { fault, type FaultyHandler } from './define.ts'

/** Accepts what the correct handler accepts, and deliveries with this signature as well. */
const accepting = (name: string, noticedBy: string, signatureOf: (body: Buffer) => string) =>
  fault(name, noticedBy, {
    isAuthentic(body, given) {
      return correctSteps.isAuthentic.call(this, body, given) || given === signatureOf(body)
    },
  })

export const signatureFaults: readonly FaultyHandler[] = [
  {
    ...fault('does not verify the signature', 'P1', { isAuthentic: () => true }),
    options: { only: ['P1'] },
  },
  fault('verifies only deliveries that have a signature', 'S2 S11', {
    isAuthentic(body, given) {
      return given === '' || correctSteps.isAuthentic.call(this, body, given)
    },
  }),
  fault('decodes the signature in pairs of digits, and fails if there are none', 'S2', {
    signatureOf(request) {
      const given = request.headers['x-service-signature']
      if (given === '') throw new TypeError("Cannot read properties of null (reading 'map')")
      return header(request, 'x-service-signature')
    },
  }),
  fault(
    'responds with 500 to every invalid signature',
    'S1 S2 S3 S4 S5? S6 S7? S8 S9 S10? S11 S12? I5 T6',
    {
      isAuthentic(body, given) {
        if (correctSteps.isAuthentic.call(this, body, given)) return true
        throw new Error('Invalid signature')
      },
    },
  ),
  fault('compares only the first 8 characters', 'S5 S6', {
    isAuthentic(body, given) {
      return given.slice(0, 8) === hmac(body, this.secret).slice(0, 8)
    },
  }),
  fault('accepts anything after the signature', 'S6', {
    isAuthentic(body, given) {
      return given.startsWith(hmac(body, this.secret))
    },
  }),
  {
    ...fault('ends for ever when the signature is too long', 'S5', {
      isAuthentic(body, given) {
        if (given.length === 65) this.crash()
        return correctSteps.isAuthentic.call(this, body, given)
      },
    }),
    restarts: false,
  },
  accepting('accepts an empty key for endpoints without a secret', 'S4', (body) => hmac(body, '')),
  accepting('accepts the access secret as well', 'S3', (body) => hmac(body, identity.accessSecret)),
  accepting('accepts a hash without a key', 'S8', (body) =>
    createHash('sha256').update(body).digest('hex'),
  ),
  fault('responds with 500 to upper-case hexadecimal digits', 'S7?', {
    isAuthentic(body, given) {
      if (/[A-F]/.test(given) && given.length === 64) throw new Error('Invalid signature format')
      return correctSteps.isAuthentic.call(this, body, given)
    },
  }),
  fault('responds with 500 to two signature headers', 'S10?', {
    signatureOf(request) {
      const values = request.headersDistinct['x-service-signature'] ?? []
      if (values.length > 1) throw new TypeError('value.trim is not a function')
      return values[0] ?? ''
    },
  }),
  fault('reads the signature from another header', 'S11', {
    signatureOf: (request) =>
      header(request, 'x-service-signature') || header(request, 'x-signature'),
  }),
  fault('responds with 500 to the previous secret', 'S12?', {
    isAuthentic(body, given) {
      if (given === hmac(body, identity.previousSecret)) throw new Error('Key is retired')
      return correctSteps.isAuthentic.call(this, body, given)
    },
  }),
  fault('dispatches on the header', 'S13', {
    typeOf: (_event, request) => header(request, 'x-service-event-type'),
  }),
  fault('responds with the expected signature', 'S14', {
    reject(response, status, _request, body) {
      response.writeHead(status).end(`expected ${hmac(body, this.secret)}`)
    },
  }),
  fault('responds with its configuration, in which the secret is', 'S14', {
    reject(response, status) {
      response.setHeader('X-Debug', JSON.stringify({ secret: this.secret, env: 'development' }))
      response.writeHead(status).end()
    },
  }),
]

const reserialize = (body: Buffer): string => {
  try {
    return JSON.stringify(JSON.parse(body.toString()))
  } catch {
    return body.toString()
  }
}

type Change = (body: Buffer) => Buffer | string

const verifying = (name: string, noticedBy: string, change: Change) =>
  fault(name, noticedBy, {
    isAuthentic(body, given) {
      return correctSteps.isAuthentic.call(this, Buffer.from(change(body)), given)
    },
  })

/** Verifies a text that is changed without a change of its encoding. */
const verifyingText = (name: string, noticedBy: string, change: (text: string) => string) =>
  verifying(name, noticedBy, (body) => Buffer.from(change(body.toString('latin1')), 'latin1'))

export const rawBodyFaults: readonly FaultyHandler[] = [
  verifying('verifies the parsed and re-serialized body', 'S1 S9 B1 B3 B4 B5', reserialize),
  fault('trims the body if it does not match otherwise', 'S1', {
    isAuthentic(body, given) {
      return (
        correctSteps.isAuthentic.call(this, body, given) ||
        correctSteps.isAuthentic.call(this, Buffer.from(body.toString().trim()), given)
      )
    },
  }),
  verifying('decodes the body as Latin-1', 'B2', (body) => body.toString('latin1')),
  verifying('escapes HTML', 'B3', (body) =>
    body.toString().replaceAll('<', '\\u003c').replaceAll('&', '\\u0026'),
  ),
  verifyingText('reads integers as doubles, and writes them again', 'B1', (text) =>
    text.replaceAll(/(?<="total":)\d{16,}/g, (digits) => String(Number(digits))),
  ),
  fault('verifies numbers as its parser writes them, if the raw body does not match', 'S9', {
    isAuthentic(body, given) {
      const rewritten = body
        .toString()
        .replaceAll(/(?<="total":)[\d.]+/g, (digits) => String(Number(digits)))
      return (
        correctSteps.isAuthentic.call(this, body, given) ||
        correctSteps.isAuthentic.call(this, Buffer.from(rewritten), given)
      )
    },
  }),
  verifyingText('turns CRLF into LF', 'B4', (text) => text.replaceAll('\r\n', '\n')),
  verifying('orders keys that look like integers', 'B5', (body) => {
    const text = body.toString()
    return /"\d+":/.test(text) ? reserialize(body) : text
  }),
  fault('strips a byte order mark, and fails without the signature matching', 'B6?', {
    isAuthentic(body, given) {
      const text = new TextDecoder().decode(body)
      if (correctSteps.isAuthentic.call(this, Buffer.from(text), given)) return true
      if (body[0] === 0xef) throw new Error('Unexpected token')
      return correctSteps.isAuthentic.call(this, body, given)
    },
  }),
]
