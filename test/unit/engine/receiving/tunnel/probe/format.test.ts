import { expect, test } from 'vitest'
import {
  replyText,
  readProbe,
  sha256Of,
  signProbe,
  type ProbeReply,
  newNonce,
} from '#engine/receiving/tunnel/probe/format.ts'
import { readResponse } from '#engine/receiving/tunnel/probe/prober.ts'

const key = new Uint8Array(32).fill(7)
const otherKey = new Uint8Array(32).fill(8)
const nonce = newNonce(1_773_522_000_000, new Uint8Array(8).fill(3))
const sha256 = sha256Of(Buffer.from('body'))
const probe = { nonce, bytes: 4, sha256 }
const signed = signProbe(key, probe)

const answer: ProbeReply = { ...probe, outcome: 'whole', limit: 1024 }
const read = (text: string, by = key) => readResponse(by, Buffer.from(text))

/** The text with another character of the same kind at one place. */
function bent(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === '1' ? '2' : '1') + text.slice(at + 1)
}

test('a signed header reveals what was signed, to holders of the key', () => {
  expect(signed).toMatch(/^v1\.[0-9a-f]{30}\.4\.[0-9a-f]{64}\.[0-9a-f]{64}$/)
  expect(readProbe(key, signed)).toEqual(probe)
  expect(readProbe(otherKey, signed)).toBeNull()
  const empty = { nonce, bytes: 0, sha256: sha256Of(new Uint8Array()) }
  expect(readProbe(key, signProbe(key, empty))).toEqual(empty)
})

test('a header with any character changed is invalid', () => {
  for (let at = 0; at < signed.length; at += 1) {
    expect(readProbe(key, bent(signed, at)), `at ${at}`).toBeNull()
  }
})

test.each([
  ['', ''],
  ['the MAC alone', signed.slice(-64)],
  ['no MAC', signed.slice(0, -65)],
  ['a MAC that is cut', signed.slice(0, -1)],
  ['something behind it', `${signed}0`],
  ['a space before it', ` ${signed}`],
  ['a line break behind it', `${signed}\n`],
  ['capitals', signed.toUpperCase()],
  ['another version', signed.replace('v1.', 'v2.')],
  ['a length with a zero before it', signed.replace('.4.', '.04.')],
  ['a length below nothing', signed.replace('.4.', '.-4.')],
  ['two of them', `${signed}, ${signed}`],
  ['the length moved into the nonce', signed.replace(`${nonce}.4`, `${nonce}4.`)],
])('a header with %s is nobody’s', (_, header) => {
  expect(readProbe(key, header)).toBeNull()
})

test('a response is recognized by its proof, and is foreign with another key', () => {
  const text = replyText(key, answer)
  expect(read(text)).toEqual(answer)
  expect(read(text, otherKey)).toBe('foreign')
})

test.each<[string, Partial<ProbeReply>]>([
  ['nonce', { nonce: bent(nonce, 0) }],
  ['bytes', { bytes: 5 }],
  ['sha256', { sha256: bent(sha256, 9) }],
  ['outcome', { outcome: 'too_large' }],
  ['limit', { limit: 1025 }],
])('an answer with another %s than was proved is a stranger’s', (_, change) => {
  const proof = /"proof":"([0-9a-f]{64})"/.exec(replyText(key, answer))?.[1]
  expect(read(JSON.stringify({ tabscope: 'probe', ...answer, ...change, proof }))).toBe('foreign')
})

test('the signature of a probe does not prove a response', () => {
  const proof = signed.slice(-64)
  expect(read(JSON.stringify({ tabscope: 'probe', ...answer, proof }))).toBe('foreign')
})

test.each(['', 'null', '[]', '{"tabscope":"probe"}', '<html>', '{', '"probe"', '\ufeff{}'])(
  'an invalid response is rejected: %j',
  (text) => {
    expect(read(text)).toBeNull()
  },
)
