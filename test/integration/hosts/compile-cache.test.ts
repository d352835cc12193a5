import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { tempFolder } from '#test/support/temp-folder.ts'

const source = new URL('../../../src/hosts/node/compile-cache.mjs', import.meta.url).href
const program = `
import module from 'node:module'
import { useCompileCache } from ${JSON.stringify(source)}
useCompileCache(process.argv[2])
await import('./code.mjs')
console.log(module.getCompileCacheDir() ?? 'none')
`

let root: string
let cache: string
beforeEach(() => {
  root = tempFolder()
  cache = path.join(root, 'out/.compile-cache')
  mkdirSync(path.join(root, 'out'), { mode: 0o755 })
  writeFileSync(path.join(root, 'program.mjs'), program)
  writeFileSync(path.join(root, 'code.mjs'), 'export const code = () => 1')
})

/** The folder in which a process on `root` caches compiled code. */
function folderInUse(): string {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const args = [path.join(root, 'program.mjs'), root]
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim()
}

describe('compiled code', () => {
  it('is cached next to the code, accessible only to its owner', () => {
    expect(folderInUse()).toContain(cache)
    expect(readdirSync(cache)).toHaveLength(1)
    if (process.platform !== 'win32') expect(statSync(cache).mode & 0o777).toBe(0o700)
    expect(folderInUse()).toContain(cache)
  })

  it('is not cached if the folder cannot be created', () => {
    writeFileSync(cache, 'no folder')
    expect(folderInUse()).toBe('none')
  })

  it.skipIf(process.platform === 'win32')('is not read where others may have put it', () => {
    mkdirSync(cache)
    for (const mode of [0o777, 0o770, 0o702]) {
      chmodSync(cache, mode)
      expect(folderInUse()).toBe('none')
      expect(readdirSync(cache)).toEqual([])
    }
    chmodSync(cache, 0o700)
    expect(folderInUse()).toContain(cache)
  })

  it.skipIf(process.platform === 'win32')('is not read through a link', () => {
    const other = path.join(root, 'other')
    mkdirSync(other, { mode: 0o700 })
    symlinkSync(other, cache)
    expect(folderInUse()).toBe('none')
    expect(readdirSync(other)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('is not kept in a build that others can change', () => {
    chmodSync(path.join(root, 'out'), 0o777)
    expect(folderInUse()).toBe('none')
    expect(existsSync(cache)).toBe(false)
  })
})
