import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { withoutAppImage } from '#hosts/electron/relaunch.ts'
import { isSignedWithCertificate } from '#hosts/electron/updates/installation.ts'
import { saveArguments, withSavedArguments } from '#hosts/electron/updates/start-after-update.ts'

vi.mock('electron', () => ({ app: {} }))

const mount = '/tmp/.mount_a'
const appImage = { APPIMAGE: '/home/a/Tabscope.AppImage', APPDIR: mount, OWD: '/', ARGV0: 'a' }

describe('the environment of the next start', () => {
  it('has no trace of the AppImage whose mount is gone by then', () => {
    const env = {
      ...appImage,
      PATH: `${mount}:${mount}/usr/sbin:/usr/bin:/tmp/.mount_ab`,
      LD_LIBRARY_PATH: `${mount}/usr/lib`,
      XDG_DATA_DIRS: `${mount}/usr/share/:/usr/share/`,
      HOME: '/home/a',
    }
    expect(withoutAppImage(env, `${mount}/resources`)).toEqual({
      PATH: '/usr/bin:/tmp/.mount_ab',
      XDG_DATA_DIRS: '/usr/share/',
      HOME: '/home/a',
    })
  })

  it('is unchanged if the variables belong to another AppImage', () => {
    const env = { ...appImage, PATH: '/usr/bin' }
    expect(withoutAppImage(env, '/opt/Tabscope/resources')).toEqual(env)
  })
})

function folder(): Disposable & { readonly path: string } {
  const made = mkdtempSync(path.join(tmpdir(), 'tabscope-start-'))
  return { path: made, [Symbol.dispose]: () => rmSync(made, { recursive: true, force: true }) }
}

describe('arguments that an installer does not pass on', () => {
  const minute = 60_000
  const kept = { version: '2.0.0', args: ['--data', '/data'], now: 0 }

  it('are used for the first start after the update only', () => {
    using own = folder()
    const start = (version: string, now: number, given: string[] = ['--updated']): string[] =>
      withSavedArguments(given, own.path, { version, now })
    saveArguments(own.path, kept)
    // The previous version, while it is being replaced.
    expect(start('1.0.0', minute)).toEqual(['--updated'])
    expect(start('2.0.0', minute)).toEqual(['--data', '/data', '--updated'])
    expect(start('2.0.0', minute)).toEqual(['--updated'])
    // A folder on the command line takes precedence.
    saveArguments(own.path, kept)
    expect(start('2.0.0', minute, ['--data', '/other'])).toEqual(['--data', '/other'])
    expect(start('2.0.0', minute)).toEqual(['--updated'])
    // An abandoned update, and a clock that was set back.
    for (const now of [16 * minute, -1]) {
      saveArguments(own.path, kept)
      expect(start('2.0.0', now)).toEqual(['--updated'])
      expect(start('2.0.0', minute)).toEqual(['--updated'])
    }
    // The default folder needs no arguments.
    saveArguments(own.path, kept)
    saveArguments(own.path, { ...kept, args: [] })
    expect(start('2.0.0', minute)).toEqual(['--updated'])
  })

  it('are not saved if there is no app folder', () => {
    saveArguments(null, kept)
    expect(withSavedArguments(['--port', '1'], null, { version: '2.0.0', now: 0 })).toEqual([
      '--port',
      '1',
    ])
  })
})

describe('updates on macOS', () => {
  it.each([
    ['a certificate', async () => ({ stderr: 'Authority=A\nTeamIdentifier=ABCDE12345\n' }), true],
    ['an ad-hoc signature', async () => ({ stderr: 'Signature=adhoc\n' }), false],
    [
      'no signature',
      async () => {
        throw new Error('code object is not signed at all')
      },
      false,
    ],
  ])('are possible with %s: %s', async (_what, run, isPossible) => {
    const asked: unknown[] = []
    const signed = await isSignedWithCertificate('/Applications/a', async (file, args) => {
      asked.push([file, ...args])
      return run()
    })
    expect(signed).toBe(isPossible)
    expect(asked).toEqual([['/usr/bin/codesign', '--display', '--verbose=2', '/Applications/a']])
  })
})
