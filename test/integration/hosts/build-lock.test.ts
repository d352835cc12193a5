import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { tempFolder } from '#test/support/temp-folder.ts'
import { withBuildLock } from '../../../src/build/build-lock.mjs'

const MODULE = pathToFileURL(
  path.resolve(import.meta.dirname, '../../../src/build/build-lock.mjs'),
).href

let folder: string
let lock: string
let journal: string
beforeEach(() => {
  folder = tempFolder()
  lock = path.join(folder, 'lock')
  journal = path.join(folder, 'journal')
  writeFileSync(journal, '')
})

async function contend(): Promise<number | null> {
  const code = `
    import { appendFileSync } from 'node:fs'
    import { withBuildLock } from ${JSON.stringify(MODULE)}
    await withBuildLock(${JSON.stringify(lock)}, () => {
      appendFileSync(${JSON.stringify(journal)}, '<')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30)
      appendFileSync(${JSON.stringify(journal)}, '>')
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
  return new Promise((resolve) => child.on('exit', resolve))
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => child.on('exit', resolve))
  return child.pid ?? 0
}

describe('the build lock', () => {
  it('is held by one process at a time', async () => {
    const codes = await Promise.all(Array.from({ length: 4 }, contend))
    expect(codes).toEqual([0, 0, 0, 0])
    expect(readFileSync(journal, 'utf8')).toBe('<><><><>')
    expect(existsSync(lock)).toBe(false)
  })

  it('is taken over from a dead holder by exactly one waiting process', async () => {
    mkdirSync(lock)
    writeFileSync(path.join(lock, 'pid'), String(await deadPid()))
    await Promise.all(Array.from({ length: 4 }, contend))
    expect(readFileSync(journal, 'utf8')).toBe('<><><><>')
  })

  it('is taken over from a holder that died before writing its process ID', async () => {
    mkdirSync(lock)
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(lock, longAgo, longAgo)
    await withBuildLock(lock, () => appendFileSync(journal, 'in'))
    expect(readFileSync(journal, 'utf8')).toBe('in')
  })

  it('is released after failed work', async () => {
    const broken = withBuildLock(lock, () => {
      throw new Error('no build')
    })
    await expect(broken).rejects.toThrow('no build')
    expect(existsSync(lock)).toBe(false)
  })
})
