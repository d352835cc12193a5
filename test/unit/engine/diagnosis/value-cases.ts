import { createHash } from 'node:crypto'
import { pythonBytes } from '#engine/diagnosis/encodings.ts'
import { body, caseOf, hex, hmac, secret, text, type Case } from './given.ts'

const right = hex(text)
const digest = hmac(text)
const other = hmac(`${text} `)
const wrong = other.toString('hex')

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
  return caseOf(code, name, { signature }, { signature: near })
}

export const valueCases: readonly Case[] = [
  written('encoding.base64', 'base64', digest.toString('base64'), other.toString('base64')),
  caseOf(
    'encoding.base64url',
    'base64url without padding',
    { signature: url, keyring: { current: telling } },
    { signature: tellingDigest.toString('base64'), keyring: { current: telling } },
  ),
  caseOf(
    'encoding.base64url',
    'base64url with padding',
    { signature: `${url}=`, keyring: { current: telling } },
    { signature: `${url.slice(0, -2)}AA=`, keyring: { current: telling } },
  ),
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
    wrong.replaceAll(/(..)(?=.)/g, '$1-'),
  ),
  written('encoding.prefix', 'sha256= before it', `sha256=${right}`, `sha256=${wrong}`),
  written('encoding.version_prefix', 'v1= before it', `v1=${right}`, `v1=${wrong}`),
  written('encoding.quotes', 'in quotes', `"${right}"`, `"${right}`),
  written(
    'encoding.white_space',
    'white space within',
    `${right.slice(0, 32)} ${right.slice(32)}`,
    `${right.slice(0, 32)} ${right.slice(33)}0`,
  ),
  written(
    'encoding.key_id',
    'a key ID and the algorithm before it',
    `1/SHA256/${right}`,
    `1/SHA256/${wrong}`,
  ),
  written('encoding.list', 'one of several', `${wrong}; ${right}`, `${right}0; x`),
  written('encoding.truncated', 'half of it', right.slice(0, 32), `${right.slice(0, 30)}zz`),
  written(
    'encoding.truncated encoding.base64',
    'the first 16 bytes in base64',
    digest.subarray(0, 16).toString('base64'),
    digest.subarray(1, 17).toString('base64'),
  ),
  written('encoding.hex_prefix', '0x before it', `0x${right}`, `0y${right}`),
  written('encoding.double_hex', 'bin2hex of hex digits', twice(right), twice(wrong)),
  written(
    'encoding.percent',
    'percent-encoded',
    right.replaceAll('a', '%61'),
    right.replaceAll('a', '%62'),
  ),
  written(
    'encoding.percent encoding.base64',
    'base64 in a form',
    encodeURIComponent(digest.toString('base64')),
    encodeURIComponent(other.toString('base64')),
  ),
  written('encoding.python_bytes', 'the text of bytes', `b'${right}'`, `b'${wrong}'`),
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
  caseOf(
    'encoding.leading_zeros',
    'as BigInteger of Java writes it',
    { signature: zeros.toString('hex').replace(/^0+/, ''), keyring: { current: zeroKey } },
    {
      signature: zeros.toString('hex').replace(/^0+/, '').slice(0, -1),
      keyring: { current: zeroKey },
    },
  ),
  written(
    'encoding.appended body.empty',
    'Sum(body) of Go',
    body.toString('hex') + hex(''),
    body.toString('hex') + hex(' '),
  ),
  caseOf(
    'encoding.prefix encoding.base64',
    'base64 behind a prefix',
    { signature: `sha256=${digest.toString('base64')}` },
    { signature: `sha257=${other.toString('base64')}` },
  ),
  caseOf(
    'header.other_name',
    'under another brand’s name',
    { signature: null, headers: [['X-Acme-Signature', right]] },
    { signature: null, headers: [['X-Acme-Signature', wrong]] },
    'The value received in X-Acme-Signature',
  ),
  caseOf(
    'header.other_name encoding.base64',
    'under a name as shops have it, in base64',
    { headers: [['X-Shop-Hmac-Sha256', digest.toString('base64')]] },
    { headers: [['X-Shop-Checksum', digest.toString('base64')]] },
  ),
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
