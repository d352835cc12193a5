import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { QUIET_MS, waitsFor } from '#hosts/electron/updates/capturing.ts'
import { distrustOf, releaseKeyOf } from '#hosts/electron/updates/signed-sums.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

function digest(text: string, encoding: 'hex' | 'base64'): string {
  return createHash('sha512').update(text).digest(encoding)
}

const name = 'tabscope-1.2.0-linux-x64.AppImage'
const older = 'tabscope-1.1.0-linux-x64.AppImage'
const list = `${digest('new', 'hex')}  ${name}\n${digest('old', 'hex')} *${older}\r\nno line\n`

function judged(
  files: readonly { name: string; sha512: string }[],
  change: Partial<{ sums: string; signature: string; by: typeof privateKey }> = {},
): string | null {
  const sums = Buffer.from(change.sums ?? list)
  const signature = sign(null, Buffer.from(list), change.by ?? privateKey).toString('base64')
  return distrustOf(
    { version: '1.2.0', files },
    { sums, signature: change.signature ?? `${signature}\n`, key: publicKey },
  )
}

it('trusts files that were signed under the version that the release says', () => {
  expect(judged([{ name, sha512: digest('new', 'base64') }])).toBeNull()
})

it.each([
  ['another digest', judged([{ name, sha512: digest('other', 'base64') }]), 'not the one that was'],
  ['no file', judged([]), 'names no files'],
  ['an unsigned file', judged([{ name: 'x-1.2.0-y', sha512: '' }]), 'not the one that was signed'],
  ['an older file', judged([{ name: older, sha512: digest('old', 'base64') }]), 'does not'],
  ['a changed list', judged([], { sums: `${list} ` }), 'signature of this release'],
  ['no signature', judged([], { signature: '' }), 'signature of this release'],
  [
    'the signature of another',
    judged([], { by: generateKeyPairSync('ed25519').privateKey }),
    'signature of this release',
  ],
])('does not trust %s', (_name, reason, words) => {
  expect(reason).toContain(words)
})

it('reads the key that a build was given, and refuses one of another kind', () => {
  expect(releaseKeyOf('')).toBeNull()
  expect(releaseKeyOf(spki)?.equals(createPublicKey(privateKey))).toBe(true)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  const other = rsa.export({ type: 'spki', format: 'der' }).toString('base64')
  expect(() => releaseKeyOf(other)).toThrow('no Ed25519 key')
  expect(() => releaseKeyOf('AAAA')).toThrow()
})

const calm = {
  now: 10 * QUIET_MS,
  lastArrival: null,
  tunnelOpen: false,
  sandboxRuns: false,
  jobs: 0,
  authorizations: 0,
  transfers: 0,
}

it('waits while something would be cut off, and for five minutes of silence after a delivery', () => {
  expect(waitsFor(calm)).toBeNull()
  expect(waitsFor({ ...calm, lastArrival: calm.now - QUIET_MS })).toBeNull()
  expect(waitsFor({ ...calm, lastArrival: calm.now - QUIET_MS + 1 })).toContain('five minutes')
  expect(waitsFor({ ...calm, tunnelOpen: true })).toContain('tunnel')
  expect(waitsFor({ ...calm, sandboxRuns: true })).toContain('sandbox')
  expect(waitsFor({ ...calm, authorizations: 1 })).toContain('authorization')
  expect(waitsFor({ ...calm, transfers: 1 })).toContain('event log')
  expect(waitsFor({ ...calm, jobs: 1, tunnelOpen: true })).toContain('job')
})
