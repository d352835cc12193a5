import { createHash } from 'node:crypto'
import { pythonBytes } from '#engine/signature/diagnose/encodings.ts'
import { body, hex, hmac, secret, text, type Case } from './given.ts'

const right = hex(text)
const digest = hmac(text)
const other = hmac(`${text} `)

/** A secret whose signature contains both characters in which base64 and base64url differ. */
const telling = Array.from({ length: 500 }, (_, index) => `telling-${index}`).find((key) => {
  const written = hmac(text, key).toString('base64')
  return written.includes('+') && written.includes('/')
})
if (telling === undefined) throw new Error('no such secret among these')
const tellingDigest = hmac(text, telling)
const url = tellingDigest.toString('base64url')

/** A secret whose signature starts with a zero. */
const zeroKey = Array.from({ length: 500 }, (_, index) => `zero-${index}`).find(
  (key) => hmac(text, key).subarray(0, 1).readUInt8() < 16,
)
if (zeroKey === undefined) throw new Error('no such secret among these')
const zeros = hmac(text, zeroKey)

const twice = (digits: string): string => Buffer.from(digits).toString('hex')

function written(code: string, name: string, signature: string, near: string): Case {
  return { codes: [code], name, given: { signature }, near: { signature: near } }
}

export const valueCases: readonly Case[] = [
  written('encoding.base64', 'base64', digest.toString('base64'), other.toString('base64')),
  {
    codes: ['encoding.base64url'],
    name: 'base64url without padding',
    given: { signature: url, keyring: { current: telling } },
    near: { signature: tellingDigest.toString('base64'), keyring: { current: telling } },
  },
  {
    codes: ['encoding.base64url'],
    name: 'base64url with padding',
    given: { signature: `${url}=`, keyring: { current: telling } },
    near: { signature: `${url.slice(0, -2)}AA=`, keyring: { current: telling } },
  },
  written(
    'encoding.base64_of_hex',
    'base64 of the digits',
    Buffer.from(right).toString('base64'),
    Buffer.from(`${right.slice(1)}0`).toString('base64'),
  ),
  written(
    'encoding.separated',
    'digits in pairs, as .NET writes them',
    right.toUpperCase().replaceAll(/(..)(?=.)/g, '$1-'),
    other.toString('hex').replaceAll(/(..)(?=.)/g, '$1-'),
  ),
  written(
    'encoding.prefix',
    'sha256= before it',
    `sha256=${right}`,
    `sha256=${other.toString('hex')}`,
  ),
  written('encoding.version_prefix', 'v1= before it', `v1=${right}`, `v1=${other.toString('hex')}`),
  written('encoding.quotes', 'in quotes', `"${right}"`, `"${right}`),
  written(
    'encoding.white_space',
    'white space within',
    `${right.slice(0, 32)} ${right.slice(32)}`,
    `${right.slice(0, 32)} ${right.slice(33)}0`,
  ),
  written('encoding.list', 'one of several', `${other.toString('hex')}, ${right}`, `${right}0, x`),
  written('encoding.truncated', 'half of it', right.slice(0, 32), `${right.slice(0, 30)}zz`),
  {
    codes: ['encoding.truncated', 'encoding.base64'],
    name: 'the first 16 bytes in base64',
    given: { signature: digest.subarray(0, 16).toString('base64') },
    near: { signature: digest.subarray(1, 17).toString('base64') },
  },
  written('encoding.hex_prefix', '0x before it', `0x${right}`, `0y${right}`),
  written(
    'encoding.double_hex',
    'bin2hex of hex digits',
    twice(right),
    twice(other.toString('hex')),
  ),
  written(
    'encoding.percent',
    'percent-encoded',
    right.replaceAll('a', '%61'),
    right.replaceAll('a', '%62'),
  ),
  {
    codes: ['encoding.percent', 'encoding.base64'],
    name: 'base64 in a form',
    given: { signature: encodeURIComponent(digest.toString('base64')) },
    near: { signature: encodeURIComponent(other.toString('base64')) },
  },
  written(
    'encoding.python_bytes',
    'the text of bytes',
    `b'${right}'`,
    `b'${other.toString('hex')}'`,
  ),
  written(
    'encoding.python_bytes',
    'the text of the digest',
    pythonBytes(digest),
    pythonBytes(other),
  ),
  written('encoding.raw', 'the bytes', digest.toString('latin1'), other.toString('latin1')),
  written(
    'encoding.raw',
    'the bytes as characters in UTF-8',
    Buffer.from(digest.toString('latin1')).toString('latin1'),
    Buffer.from(other.toString('latin1')).toString('latin1'),
  ),
  written(
    'encoding.numbers',
    'as Java lists signed bytes',
    `[${[...new Int8Array(digest)].join(', ')}]`,
    `[${[...new Int8Array(other)].join(', ')}]`,
  ),
  written('encoding.numbers', 'as JavaScript does', [...digest].join(','), [...other].join(',')),
  written(
    'encoding.numbers',
    'as Go does',
    `[${[...digest].join(' ')}]`,
    `[${[...other].join(' ')}]`,
  ),
  written('encoding.numbers', 'a Buffer in JSON', JSON.stringify(digest), JSON.stringify(other)),
  {
    codes: ['encoding.leading_zeros'],
    name: 'as BigInteger of Java writes it',
    given: { signature: zeros.toString('hex').replace(/^0+/, ''), keyring: { current: zeroKey } },
    near: {
      signature: zeros.toString('hex').replace(/^0+/, '').slice(0, -1),
      keyring: { current: zeroKey },
    },
  },
  {
    codes: ['encoding.appended', 'body.empty'],
    name: 'Sum(body) of Go',
    given: { signature: body.toString('hex') + hex('') },
    near: { signature: body.toString('hex') + hex(' ') },
  },
  {
    codes: ['encoding.prefix', 'encoding.base64'],
    name: 'base64 behind a prefix',
    given: { signature: `sha256=${digest.toString('base64')}` },
    near: { signature: `sha257=${other.toString('base64')}` },
  },
  {
    codes: ['header.other_name'],
    name: 'under another brand’s name',
    given: { signature: null, headers: [['X-Acme-Signature', right]] },
    near: { signature: null, headers: [['X-Acme-Signature', other.toString('hex')]] },
    says: 'The value received in X-Acme-Signature',
  },
  {
    codes: ['header.other_name', 'encoding.base64'],
    name: 'under a name as shops have it, in base64',
    given: { headers: [['X-Shop-Hmac-Sha256', digest.toString('base64')]] },
    near: { headers: [['X-Shop-Checksum', digest.toString('base64')]] },
  },
  ...(['sha1', 'sha512', 'sha384', 'md5'] as const).map((algorithm): Case => ({
    codes: [`algorithm.${algorithm}`],
    name: `HMAC-${algorithm}`,
    given: { signature: hmac(text, secret, algorithm).toString('hex') },
    near: { signature: hmac(`${text} `, secret, algorithm).toString('hex') },
  })),
  ...(['sha256', 'sha1', 'sha512', 'md5'] as const).map((algorithm): Case => ({
    codes: ['algorithm.plain'],
    name: `plain ${algorithm}`,
    given: { signature: createHash(algorithm).update(body).digest('hex') },
    near: { signature: createHash(algorithm).update(`${text}x`).digest('hex') },
  })),
  ...([`${secret}${text}`, `${text}${secret}`] as const).map((joined): Case => ({
    codes: ['algorithm.concatenated'],
    name: `plain hash of ${joined.startsWith(secret) ? 'secret and body' : 'body and secret'}`,
    given: { signature: createHash('sha256').update(joined).digest('hex') },
    near: { signature: createHash('sha256').update(`${secret}.${text}`).digest('hex') },
  })),
]
