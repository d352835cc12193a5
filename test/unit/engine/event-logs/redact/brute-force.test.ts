import { hash, createHmac, type BinaryLike } from 'node:crypto'
import { crc32, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { recordsMark } from '#contract/log-page.ts'
import type { Header } from '#contract/models.ts'
import { logFormats } from '#engine/event-logs/formats.ts'
import type { DeliveryItem, ExportedAttempt } from '#engine/event-logs/items.ts'
import { Digests } from '#engine/event-logs/redact/digests.ts'
import { sampleAttempt, sampleItem } from '#test/support/event-log/sample-item.ts'
import { sampleEnv, sampleHead } from '#test/support/event-log/sample-log.ts'
import { full } from '#test/support/full.ts'
import { exported, redactDelivery, redactorWith } from '#test/support/redacting.ts'

/*
 * The attacker has a redacted export, knows possible values, and hashes one candidate after the other: alone, and in place of the pseudonym in the
 * body. If anything in the file equals one of these hashes, the value is known.
 */

const candidates = full ? 10_000 : 300
/** A weak secret that an attacker would try. */
const guessableSecret = 'secret'

interface Canary {
  readonly name: string
  readonly candidate: (n: number) => string
  readonly body: (value: string) => string
  readonly type?: string
  readonly gzip?: true
}

const digits = (n: number, length: number): string => String(n).padStart(length, '0')

function withLuhn(stem: string): string {
  let sum = 0
  for (const [at, digit] of stem.split('').toReversed().entries()) {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return `${stem}${(10 - (sum % 10)) % 10}`
}

function iban(country: string, account: string): string {
  const moved = `${account}${country}00`.replaceAll(/[A-Z]/g, (c) => String(c.charCodeAt(0) - 55))
  return `${country}${digits(98 - Number(BigInt(moved) % 97n), 2)}${account}`
}

const json = (data: unknown, type = 'ORDER_PLACED'): string =>
  JSON.stringify({ type, createdAt: '2026-01-31T19:05:07.123Z', locationName: 'Harbour', data })

const canary: readonly Canary[] = [
  { name: 'phone', candidate: (n) => `+4930901${digits(n, 5)}`, body: (v) => json({ handle: v }) },
  {
    name: 'phone as a number',
    candidate: (n) => `4930901${digits(n, 5)}`,
    body: (v) => `{"type":"ORDER_PLACED","data":{"phone":${v}}}`,
  },
  {
    name: 'phone in text',
    candidate: (n) => `+1415555${digits(n, 4)}`,
    body: (v) => json({ note: `call ${v}` }),
  },
  {
    name: 'phone, full width',
    candidate: (n) => wide(`+4930902${digits(n, 5)}`),
    body: (v) => json({ note: `call ${v}` }),
  },
  {
    name: 'phone in a form',
    candidate: (n) => `0170-1${digits(n, 6)}`,
    body: (v) => `name=x&phone=${v}`,
  },
  { name: 'e-mail', candidate: (n) => `guest${n}@example.com`, body: (v) => json({ handle: v }) },
  {
    name: 'e-mail, compressed',
    candidate: (n) => `ann.${n}@example.org`,
    body: (v) => json({ to: v }),
    gzip: true,
  },
  { name: 'handle', candidate: (n) => `anna-${n}`, body: (v) => json({ handle: v }) },
  {
    name: 'name',
    candidate: (n) => `Miller ${n}`,
    body: (v) => json({ name: v, spotName: 'T4' }, 'OPEN_TAB'),
    type: 'OPEN_TAB',
  },
  {
    name: 'token',
    candidate: (n) => `tok-${digits(n, 12)}`,
    body: (v) => json({ access_token: v }),
  },
  {
    name: 'token in a URL in a URL',
    candidate: (n) => `tok-${digits(n, 12)}`,
    body: (v) =>
      json({
        link: `https://a.example/?to=${encodeURIComponent(encodeURIComponent(`https://b.example/?access_token=${v}`))}`,
      }),
  },
  {
    name: 'password by its shape',
    candidate: (n) => `pass-${n}`,
    body: (v) => json([{ name: 'password', value: v }]),
  },
  {
    name: 'password in XML',
    candidate: (n) => `pass-${n}`,
    body: (v) => `<login><password>${v}</password></login>`,
  },
  { name: 'PIN', candidate: (n) => digits(n, 4), body: (v) => json({ pin: v }) },
  {
    name: 'under credentials',
    candidate: (n) => `user-${n}`,
    body: (v) => json({ credentials: { login: v } }),
  },
  {
    name: 'card',
    candidate: (n) => withLuhn(`411111111${digits(n, 6)}`),
    body: (v) => json({ note: v }),
  },
  {
    name: 'IBAN',
    candidate: (n) => iban('DE', `3704004405320${digits(n, 5)}`),
    body: (v) => json({ note: v }),
  },
  {
    name: 'AWS key',
    candidate: (n) => `AKIAQ3EGRZJ5TLY4${'ABCDEFGHIJ'.charAt(n % 10)}${letters(n)}`,
    body: (v) => json({ note: v }),
  },
  {
    name: 'GitHub token',
    candidate: (n) => `ghp_${digits(n, 36)}`,
    body: (v) => json({ note: v }),
  },
  {
    name: 'session cookie in text',
    candidate: (n) => `s${digits(n, 9)}`,
    body: (v) => json({ cookie: v }),
  },
]

function wide(text: string): string {
  return text.replaceAll(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
}

function letters(n: number): string {
  return [n % 26, Math.floor(n / 26) % 26, Math.floor(n / 676) % 26]
    .map((at) => String.fromCharCode(65 + at))
    .join('')
}

/** Has a length that does not occur in the files by chance. */
function bodyOf(each: Canary, value: string): string {
  return each.body(value) + ' '.repeat(1000 + canary.indexOf(each) * 61)
}

const algorithms = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const

/** All hashes of a candidate, in hex. */
function oracles(data: BinaryLike & (string | Uint8Array)): string[] {
  return [
    ...algorithms.map((algorithm) => hash(algorithm, data, 'hex')),
    digits16(crc32(data)),
    createHmac('sha256', guessableSecret).update(data).digest('hex'),
  ]
}

const digits16 = (n: number): string => n.toString(16).padStart(8, '0')

const b64 = (algorithm: string, data: BinaryLike): string => hash(algorithm, data, 'base64')

/** Headers derived from a body, as senders and targets use them. */
function derivedHeaders(body: Uint8Array): Header[] {
  return [
    ['Content-Length', String(body.byteLength)],
    ['Content-MD5', b64('md5', body)],
    ['Digest', `SHA-256=${b64('sha256', body)},MD5=${b64('md5', body)}`],
    ['Content-Digest', `sha-256=:${b64('sha256', body)}:`],
    ['Repr-Digest', `sha-512=:${b64('sha512', body)}:`],
    ['ETag', `W/"${hash('sha1', body, 'hex')}"`],
    ['X-Amz-Content-Sha256', hash('sha256', body, 'hex')],
    ['X-Goog-Hash', `crc32c=${digits16(crc32(body))},md5=${b64('md5', body)}`],
    ['X-Checksum', digits16(crc32(body))],
    ['X-Anything', hash('sha256', body, 'base64url')],
    ['X-Body-Size', String(body.byteLength)],
    ['X-Service-Signature', createHmac('sha256', guessableSecret).update(body).digest('hex')],
    [
      'X-Hub-Signature-256',
      `sha256=${createHmac('sha256', guessableSecret).update(body).digest('hex')}`,
    ],
    ['X-Sig', createHmac('sha256', guessableSecret).update(body).digest('base64')],
  ]
}

const correct = 4711

function deliveryOf(each: Canary, id: number): DeliveryItem {
  const value = each.candidate(correct)
  const text = bodyOf(each, value)
  const sent = Buffer.from(each.gzip ? gzipSync(text) : text)
  const headers: Header[] = [
    ['Content-Type', 'application/json'],
    ...(each.gzip ? [['Content-Encoding', 'gzip'] as Header] : []),
    ...derivedHeaders(sent),
    ['X-Value-Hash', hash('sha256', value, 'hex')],
  ]
  const edited = Buffer.from(`${text} `)
  const attempt = (at: number, requestBody: Uint8Array | null): ExportedAttempt =>
    sampleAttempt(
      id * 10 + at,
      {
        deliveryId: id,
        requestBytes: requestBody?.byteLength ?? sent.byteLength,
        responseBytes: sent.byteLength,
        request: {
          target: '/x',
          headers: [
            ...(each.gzip ? headers.slice(1, 2) : []),
            ...derivedHeaders(requestBody ?? sent),
          ],
          trailers: [['Content-Digest', `sha-256=:${b64('sha256', requestBody ?? sent)}:`]],
          sha256: hash('sha256', requestBody ?? sent, 'hex'),
        },
        response: {
          status: 200,
          statusText: 'OK',
          httpVersion: '1.1',
          headers: [...(each.gzip ? headers.slice(1, 2) : []), ...derivedHeaders(sent)],
          storedBytes: sent.byteLength,
        },
        error: {
          code: 'invalid_request',
          message: `There is a body of ${sent.byteLength} bytes. Add Content-Length: ${sent.byteLength}.`,
        },
        notes: [`Its SHA-256 is ${hash('sha256', sent, 'hex')}.`],
      },
      { requestBody, answerBody: sent },
    )
  return sampleItem(
    id,
    sent,
    {
      type: each.type ?? 'ORDER_PLACED',
      title: 'A title',
      headers,
      trailers: [['Content-MD5', b64('md5', sent)]],
      note: `sha256 ${hash('sha256', sent, 'hex')}, of the value md5 ${hash('md5', value, 'hex')}`,
      reason: `The sender announced ${sent.byteLength} bytes; the limit is 10 bytes.`,
      tags: [hash('sha1', sent, 'hex')],
    },
    {
      attempts: [
        attempt(1, null),
        attempt(2, each.gzip ? null : edited),
        // An echo whose body was not stored.
        { ...attempt(3, null), answerBody: null },
      ],
    },
  )
}

/** All strings of a file that may be a digest, in hex, and all numbers. */
function evidence(text: string): { digests: Set<string>; numbers: Set<string> } {
  const digests = new Set<string>()
  for (const [run] of text.matchAll(/[0-9a-fA-F]{8,}/g)) digests.add(run.toLowerCase())
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{16,}/g)) {
    digests.add(Buffer.from(run, 'base64').toString('hex'))
    // A preceding slash or hyphen may belong to the text before it.
    for (const part of run.split(/[/+_-]/)) digests.add(Buffer.from(part, 'base64').toString('hex'))
  }
  const withoutDigests = text.replaceAll(/\b[0-9a-f]{64}\b/g, '')
  const numbers = new Set([...withoutDigests.matchAll(/\d{3,}/g)].map(([number]) => number))
  return { digests, numbers }
}

const pseudonym = /redacted-(?:[a-z]+-)+[a-z2-7]{12}/

it('keeps nothing that distinguishes a correct guess of 20 values from wrong ones, in any format', () => {
  const items = canary.map((each, at) => deliveryOf(each, at + 1))
  const redactor = redactorWith({ handles: [] })
  const redacted = items.map((item) => redactor.item(item))
  const env = { ...sampleEnv, page: () => `<html>${recordsMark}</html>` }
  const files = logFormats.map(({ id, write }) => {
    const pieces = [...write(redactor.head(sampleHead(redacted, '')), redacted, env)]
    const text = Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString()
    return { id, text, ...evidence(text.replaceAll('\\/', '/')) }
  })
  expect(files.length).toBeGreaterThanOrEqual(7)

  const leaks: string[] = []
  for (const [at, each] of canary.entries()) {
    const value = each.candidate(correct)
    const { body } = items[at]?.delivery ?? { body: new Uint8Array() }
    const out = redacted[at]?.delivery
    if (out?.fields.bodyRedacted !== true) {
      leaks.push(`${each.name}: its body is as it was`)
      continue
    }
    for (const { id, text, numbers } of files) {
      if (text.includes(value)) leaks.push(`${each.name}: in clear in ${id}`)
      const length = String(body.byteLength)
      // Another body may have the same length by chance.
      const others = redacted.some((item) => item.delivery.body.byteLength === body.byteLength)
      if (!others && numbers.has(length)) leaks.push(`${each.name}: its length ${length} in ${id}`)
    }
    for (let n = 0; n < candidates; n += 1) {
      const candidate = each.candidate(n)
      // Put the candidate in place of the pseudonym in the body.
      const guessedBody = bodyOf(each, candidate)
      for (const data of each.gzip || n !== correct
        ? [candidate, guessedBody]
        : [candidate, guessedBody, body]) {
        for (const oracle of oracles(data)) {
          const file = files.find(({ digests }) => digests.has(oracle))
          if (file) leaks.push(`${each.name}: ${candidate} by ${oracle.slice(0, 16)} in ${file.id}`)
        }
      }
    }
    if (each.gzip) {
      const file = oracles(body).find((oracle) => files.some(({ digests }) => digests.has(oracle)))
      if (file !== undefined) leaks.push(`${each.name}: by the compressed body`)
    } else expect(Buffer.from(out?.body ?? []).toString()).toMatch(pseudonym)
  }
  expect(leaks).toEqual([])
}, 120_000)

it('keeps equality within one log, but not between two', () => {
  const body = json({ handle: '+4930901820' })
  const digestsOf = (key: Buffer): string[] => {
    const redactor = redactorWith({ key })
    return [body, body, json({ handle: '+4930901821' })].map(
      (text, at) => redactor.item(sampleItem(at + 1, text)).delivery.fields.sha256,
    )
  }
  const [first = '', second, third] = digestsOf(Buffer.alloc(32, 1))
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect(first).not.toBe(hash('sha256', body, 'hex'))
  expect(second).toBe(first)
  expect(third).not.toBe(first)
  expect(digestsOf(Buffer.alloc(32, 2))[0]).not.toBe(first)
})

it('keeps digest and size of a body in which nothing was redacted', () => {
  const item = sampleItem(1, json({ total: 42.5 }), {})
  const [redacted] = [redactorWith().item(item).delivery]
  expect(redacted.fields.sha256).toBe(item.delivery.fields.sha256)
  expect(redacted.fields.bytes).toBe(item.delivery.fields.bytes)
  expect(redacted.fields.headers).toEqual(item.delivery.fields.headers)
})

it.each([':', '-', ' '])('replaces digests whose bytes are separated by %j', (mark) => {
  const body = JSON.stringify({ data: { handle: 'anna@example.com' } })
  const spell = (digest: string): string => (digest.match(/../g) ?? []).join(mark)
  const digests = (['md5', 'sha1', 'sha256', 'sha512'] as const).map((algorithm) =>
    spell(hash(algorithm, body, 'hex')),
  )
  const value = spell(hash('sha256', 'anna@example.com', 'hex')).toUpperCase()
  const other = spell(hash('sha256', 'something else', 'hex'))
  const note = [...digests, value, other].map((digest) => `fingerprint ${digest}.`).join('\n')
  const { fields } = redactDelivery(
    redactorWith(),
    exported({ body, headers: [['X-Fingerprint', digests[0] ?? '']], fields: { note } }),
  )
  for (const digest of [...digests, value]) expect(fields.note).not.toContain(digest)
  expect(fields.note.match(/redacted-digest-/g)).toHaveLength(5)
  expect(fields.note).toContain(other)
  expect(fields.headers[0]?.[1]).toMatch(/^redacted-digest-/)
})

it.each(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'])(
  'recognizes every %s of a redacted value, in each way to write it',
  (algorithm) => {
    for (let at = 0; at < 300; at += 1) {
      const value = `guest-${at}`
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        const text = `digest: ${hash(algorithm, value, encoding)}`
        const digests = new Digests()
        digests.addValue(value)
        digests.find(text)
        expect({ text, isKnown: digests.resolve() }).toEqual({ text, isKnown: true })
        expect(digests.find(text)).toHaveLength(1)
      }
    }
  },
)

it('compares no name of the length of a digest that is not Base64', () => {
  expect(new Digests().find('header.x-service-event-target-uuid')).toBeNull()
})
