import { createHash } from 'node:crypto'
import { identity } from '../rehearse.ts'
import { correctSteps, header, hmac, type Steps } from '../handler.ts'
import type { FaultyHandler } from './define.ts'

/** Accepts what the correct handler accepts, and deliveries with this signature as well. */
function alsoAccepts(signatureOf: (body: Buffer) => string): Partial<Steps> {
  return {
    isAuthentic(body, given) {
      return correctSteps.isAuthentic.call(this, body, given) || given === signatureOf(body)
    },
  }
}

export const signatureFaults: readonly FaultyHandler[] = [
  {
    name: 'does not verify the signature',
    noticedBy: ['P1'],
    options: { only: ['P1'] },
    steps: { isAuthentic: () => true },
  },
  {
    name: 'verifies only deliveries that have a signature',
    noticedBy: ['S2', 'S11'],
    steps: {
      isAuthentic(body, given) {
        return given === '' || correctSteps.isAuthentic.call(this, body, given)
      },
    },
  },
  {
    name: 'decodes the signature in pairs of digits, and fails if there are none',
    noticedBy: ['S2'],
    steps: {
      signatureOf(request) {
        const given = request.headers['x-service-signature']
        if (given === '') throw new TypeError("Cannot read properties of null (reading 'map')")
        return header(request, 'x-service-signature')
      },
    },
  },
  {
    name: 'responds with 500 to every invalid signature',
    noticedBy: [
      'S1',
      'S2',
      'S3',
      'S4',
      'S5?',
      'S6',
      'S7?',
      'S8',
      'S9',
      'S10?',
      'S11',
      'S12?',
      'I5',
      'T6',
    ],
    steps: {
      isAuthentic(body, given) {
        if (correctSteps.isAuthentic.call(this, body, given)) return true
        throw new Error('Invalid signature')
      },
    },
  },
  {
    name: 'compares only the first 8 characters',
    noticedBy: ['S5', 'S6'],
    steps: {
      isAuthentic(body, given) {
        return given.slice(0, 8) === hmac(body, this.secret).slice(0, 8)
      },
    },
  },
  {
    name: 'accepts anything after the signature',
    noticedBy: ['S6'],
    steps: {
      isAuthentic(body, given) {
        return given.startsWith(hmac(body, this.secret))
      },
    },
  },
  {
    name: 'ends for ever when the signature is too long',
    noticedBy: ['S5'],
    restarts: false,
    steps: {
      isAuthentic(body, given) {
        if (given.length === 65) this.crash()
        return correctSteps.isAuthentic.call(this, body, given)
      },
    },
  },
  {
    name: 'accepts an empty key for endpoints without a secret',
    noticedBy: ['S4'],
    steps: alsoAccepts((body) => hmac(body, '')),
  },
  {
    name: 'accepts the access secret as well',
    noticedBy: ['S3'],
    steps: alsoAccepts((body) => hmac(body, identity.accessSecret)),
  },
  {
    name: 'accepts a hash without a key',
    noticedBy: ['S8'],
    steps: alsoAccepts((body) => createHash('sha256').update(body).digest('hex')),
  },
  {
    name: 'responds with 500 to upper-case hexadecimal digits',
    noticedBy: ['S7?'],
    steps: {
      isAuthentic(body, given) {
        if (/[A-F]/.test(given) && given.length === 64) throw new Error('Invalid signature format')
        return correctSteps.isAuthentic.call(this, body, given)
      },
    },
  },
  {
    name: 'responds with 500 to two signature headers',
    noticedBy: ['S10?'],
    steps: {
      signatureOf(request) {
        const values = request.headersDistinct['x-service-signature'] ?? []
        if (values.length > 1) throw new TypeError('value.trim is not a function')
        return values[0] ?? ''
      },
    },
  },
  {
    name: 'reads the signature from another header',
    noticedBy: ['S11'],
    steps: {
      signatureOf: (request) =>
        header(request, 'x-service-signature') || header(request, 'x-signature'),
    },
  },
  {
    name: 'responds with 500 to the previous secret',
    noticedBy: ['S12?'],
    steps: {
      isAuthentic(body, given) {
        if (given === hmac(body, identity.previousSecret)) throw new Error('Key is retired')
        return correctSteps.isAuthentic.call(this, body, given)
      },
    },
  },
  {
    name: 'dispatches on the header',
    noticedBy: ['S13'],
    steps: { typeOf: (_event, request) => header(request, 'x-service-event-type') },
  },
  {
    name: 'responds with the expected signature',
    noticedBy: ['S14'],
    steps: {
      reject(response, status, _request, body) {
        response.writeHead(status).end(`expected ${hmac(body, this.secret)}`)
      },
    },
  },
  {
    name: 'responds with its configuration, in which the secret is',
    noticedBy: ['S14'],
    steps: {
      reject(response, status) {
        response.setHeader('X-Debug', JSON.stringify({ secret: this.secret, env: 'development' }))
        response.writeHead(status).end()
      },
    },
  },
]

const reserialize = (body: Buffer): string => {
  try {
    return JSON.stringify(JSON.parse(body.toString()))
  } catch {
    return body.toString()
  }
}

function verifies(change: (body: Buffer) => Buffer | string): Partial<Steps> {
  return {
    isAuthentic(body, given) {
      return correctSteps.isAuthentic.call(this, Buffer.from(change(body)), given)
    },
  }
}

/** Verifies a text that is changed without a change of its encoding. */
function verifiesText(change: (text: string) => string): Partial<Steps> {
  return verifies((body) => Buffer.from(change(body.toString('latin1')), 'latin1'))
}

export const rawBodyFaults: readonly FaultyHandler[] = [
  {
    name: 'verifies the parsed and re-serialized body',
    noticedBy: ['S1', 'S9', 'B1', 'B3', 'B4', 'B5'],
    steps: verifies(reserialize),
  },
  {
    name: 'trims the body if it does not match otherwise',
    noticedBy: ['S1'],
    steps: {
      isAuthentic(body, given) {
        return (
          correctSteps.isAuthentic.call(this, body, given) ||
          correctSteps.isAuthentic.call(this, Buffer.from(body.toString().trim()), given)
        )
      },
    },
  },
  {
    name: 'decodes the body as Latin-1',
    noticedBy: ['B2'],
    steps: verifies((body) => body.toString('latin1')),
  },
  {
    name: 'escapes HTML',
    noticedBy: ['B3'],
    steps: verifies((body) =>
      body.toString().replaceAll('<', '\\u003c').replaceAll('&', '\\u0026'),
    ),
  },
  {
    name: 'reads integers as doubles, and writes them again',
    noticedBy: ['B1'],
    steps: verifiesText((text) =>
      text.replaceAll(/(?<="total":)\d{16,}/g, (digits) => String(Number(digits))),
    ),
  },
  {
    name: 'verifies numbers as its parser writes them, if the raw body does not match',
    noticedBy: ['S9'],
    steps: {
      isAuthentic(body, given) {
        const rewritten = body
          .toString()
          .replaceAll(/(?<="total":)[\d.]+/g, (digits) => String(Number(digits)))
        return (
          correctSteps.isAuthentic.call(this, body, given) ||
          correctSteps.isAuthentic.call(this, Buffer.from(rewritten), given)
        )
      },
    },
  },
  {
    name: 'turns CRLF into LF',
    noticedBy: ['B4'],
    steps: verifiesText((text) => text.replaceAll('\r\n', '\n')),
  },
  {
    name: 'orders keys that look like integers',
    noticedBy: ['B5'],
    steps: verifies((body) => {
      const text = body.toString()
      return /"\d+":/.test(text) ? reserialize(body) : text
    }),
  },
  {
    name: 'strips a byte order mark, and fails without the signature matching',
    noticedBy: ['B6?'],
    steps: {
      isAuthentic(body, given) {
        const text = new TextDecoder().decode(body)
        if (correctSteps.isAuthentic.call(this, Buffer.from(text), given)) return true
        if (body[0] === 0xef) throw new Error('Unexpected token')
        return correctSteps.isAuthentic.call(this, body, given)
      },
    },
  },
]
