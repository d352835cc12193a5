import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import type { Settings } from '#contract/models.ts'
import { installPath, runsFromAppImage } from '#hosts/electron/updates/installation.ts'
import { describeUpdateError, scheduleChecks } from '#hosts/electron/updates/updates.ts'
import { fakeClock } from '#test/support/fake-clock.ts'
import { findReleaseProblem, releaseKeyOf } from '#hosts/electron/updates/signed-sums.ts'

vi.mock('electron', () => ({ app: {} }))

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

function digest(text: string, encoding: 'hex' | 'base64'): string {
  return createHash('sha512').update(text).digest(encoding)
}

const name = 'tabscope-1.2.0-linux-x64.AppImage'
const older = 'tabscope-1.1.0-linux-x64.AppImage'
const beta = 'tabscope-1.2.0-beta.1-linux-x64.AppImage'
const list = `${digest('new', 'hex')}  ${name}\n${digest('old', 'hex')} *${older}\r\nno line\n${digest('beta', 'hex')}  ${beta}\n`

function judged(
  files: readonly { name: string; sha512: string }[],
  change: Partial<{ sums: string; signature: string; by: typeof privateKey }> = {},
): string | null {
  const sums = Buffer.from(change.sums ?? list)
  const signature = sign(null, Buffer.from(list), change.by ?? privateKey).toString('base64')
  return findReleaseProblem(
    { version: '1.2.0', files },
    { sums, signature: change.signature ?? `${signature}\n`, key: publicKey },
  )
}

it('accepts files signed for the version of the release', () => {
  expect(judged([{ name, sha512: digest('new', 'base64') }])).toBeNull()
})

it.each([
  [
    'another digest',
    judged([{ name, sha512: digest('other', 'base64') }]),
    'does not match its signed',
  ],
  ['no file', judged([]), 'lists no files'],
  [
    'an unsigned file',
    judged([{ name: 'x-1.2.0-win-y', sha512: '' }]),
    'does not match its signed digest',
  ],
  ['an older file', judged([{ name: older, sha512: digest('old', 'base64') }]), 'does not'],
  ['a test file', judged([{ name: beta, sha512: digest('beta', 'base64') }]), 'does not'],
  ['a changed list', judged([], { sums: `${list} ` }), 'signature of this release'],
  ['no signature', judged([], { signature: '' }), 'signature of this release'],
  [
    'the signature of another key',
    judged([], { by: generateKeyPairSync('ed25519').privateKey }),
    'signature of this release',
  ],
])('rejects %s', (_name, reason, words) => {
  expect(reason).toContain(words)
})

it('reads the key of a build, and rejects other key types', () => {
  expect(releaseKeyOf('')).toBeNull()
  expect(releaseKeyOf(spki)?.equals(createPublicKey(privateKey))).toBe(true)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  const other = rsa.export({ type: 'spki', format: 'der' }).toString('base64')
  expect(() => releaseKeyOf(other)).toThrow('not an Ed25519 key')
  expect(() => releaseKeyOf('AAAA')).toThrow('not an Ed25519 key')
})

it('distinguishes its own AppImage from that of its terminal', () => {
  const env = { APPIMAGE: '/home/a/Tabscope.AppImage', APPDIR: '/tmp/.mount_a' }
  expect(runsFromAppImage(env, '/tmp/.mount_a/resources')).toBe(true)
  expect(runsFromAppImage(env, '/opt/Tabscope/resources')).toBe(false)
  expect(runsFromAppImage(env, '/tmp/.mount_ab/resources')).toBe(false)
  expect(runsFromAppImage({ APPDIR: '/tmp/.mount_a' }, '/tmp/.mount_a/resources')).toBe(false)
  expect(runsFromAppImage({ ...env, APPIMAGE: 'a' }, '/tmp/.mount_a/resources')).toBe(false)
})

it('keeps a file name chosen by the user, and updates a version in it', () => {
  const fetched = '/home/a/.cache/pending/tabscope-1.2.0-linux-x86_64.AppImage'
  expect(installPath('/home/a/Tabscope.AppImage', fetched)).toBe('/home/a/Tabscope.AppImage')
  expect(installPath('/home/1.0.0/tabscope-1.1.0-linux-x86_64.AppImage', fetched)).toBe(
    '/home/1.0.0/tabscope-1.2.0-linux-x86_64.AppImage',
  )
})

it('describes an error in one line', () => {
  expect(
    describeUpdateError(Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })),
  ).toContain('disk is full')
  expect(describeUpdateError(new Error('Not here.\n    at a.js:1'))).toBe('Not here.')
  expect(describeUpdateError(new Error(''))).toContain('Could not reach the release server.')
})

it('checks soon after the start and every six hours, unless turned off', async () => {
  const clock = fakeClock()
  let choice: Settings['updates'] = 'off'
  let checks = 0
  scheduleChecks(
    () => choice,
    () => (checks += 1),
    (ms, callback) => void clock.after(ms, callback),
  )
  const hour = 60 * 60_000
  await clock.pass(24 * hour)
  expect(checks).toBe(0)
  choice = 'notify'
  await clock.pass(6 * hour)
  expect(checks).toBe(1)
  choice = 'download'
  await clock.pass(12 * hour)
  expect(checks).toBe(3)
  choice = 'off'
  await clock.pass(24 * hour)
  expect(checks).toBe(3)
})
