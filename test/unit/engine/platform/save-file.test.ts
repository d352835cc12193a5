import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { destinationOf, saveFile, writeFileAt } from '#engine/platform/save-file.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

/** Of what others could read before its permissions were set. */
const modes: string[] = []
vi.mock(import('node:fs'), async (original) => {
  const fs = await original()
  return {
    ...fs,
    chmodSync: (file, mode) => {
      modes.push(modeOf(String(file)))
      fs.chmodSync(file, mode)
    },
  }
})

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)
const umask = process.umask()
const isRoot = process.getuid?.() === 0

describe.skipIf(process.platform === 'win32')('a file of the user', () => {
  it('is created for the user only, if it is not redacted, and else like any file', async () => {
    const file = (name: string) => path.join(folder, 'inner', name)
    const folder = tempFolder()
    writeFileAt(file('private'), 'a', true)
    writeFileAt(file('other'), 'a', false)
    const save = () => Promise.resolve(file('saved'))
    await saveFile({ dialogs: { save, open: save } }, 'ask', {
      name: 'x',
      bytes: Buffer.from('a'),
    })
    expect(['private', 'other', 'saved'].map((name) => modeOf(file(name)))).toEqual([
      '600',
      (0o666 & ~umask).toString(8),
      '600',
    ])
    expect(readdirSync(path.join(folder, 'inner')).toSorted()).toEqual([
      'other',
      'private',
      'saved',
    ])
  })

  it('keeps its permissions when it is replaced, unless others could read what is not redacted', () => {
    const file = path.join(tempFolder(), 'file')
    writeFileSync(file, 'before')
    chmodSync(file, 0o620)
    writeFileAt(file, 'a', false)
    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['a', '620'])
    chmodSync(file, 0o644)
    writeFileAt(file, 'b', true)
    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['b', '600'])
  })

  it('is written through a link of the user to a file, and through no other link', () => {
    const folder = tempFolder()
    const [link, file] = [path.join(folder, 'link'), path.join(folder, 'file')]
    symlinkSync('file', link)
    expect(() => writeFileAt(link, 'a', false)).toThrow('is a link to a file that does not exist')
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, 'before')
    writeFileAt(link, 'a', false)
    expect(readFileSync(file, 'utf8')).toBe('a')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  })

  it.runIf(isRoot).each(['link', 'file'])('is not written if the %s is of another user', (name) => {
    const folder = tempFolder()
    writeFileSync(path.join(folder, 'file'), 'before')
    symlinkSync('file', path.join(folder, 'link'))
    lchownSync(path.join(folder, name), 12_345, 12_345)
    expect(() => writeFileAt(path.join(folder, 'link'), 'a', false)).toThrow('of another user')
    expect(readFileSync(path.join(folder, 'file'), 'utf8')).toBe('before')
  })

  it('is not readable by others at any time, if it was not before', () => {
    const file = path.join(tempFolder(), 'file')
    writeFileSync(file, 'before', { mode: 0o600 })
    modes.length = 0
    writeFileAt(file, 'a', false)
    expect([...modes, modeOf(file)]).toEqual(['600', '600'])
  })

  it('never replaces a device', () => {
    writeFileAt('/dev/null', 'a', false)
    expect(() => writeFileAt('/dev/null', 'a', true)).toThrow('is a device or a pipe')
    expect(() => destinationOf('/dev/null')).toThrow('is a device or a pipe')
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true)
  })
})
