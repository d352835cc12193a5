import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { missingFromLock } from '../support/lock.mjs'

const root = path.resolve(import.meta.dirname, '../..')

describe('package-lock.json', () => {
  it('lists the binaries of every system: if not, run test/support/complete-lock.mjs', () => {
    const lock: Parameters<typeof missingFromLock>[0] = JSON.parse(
      readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
    )
    expect(missingFromLock(lock).map(({ key }) => key)).toEqual([])
  })

  it('names no registry, since each user may have a different one', () => {
    expect(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved"')
  })

  it('is completed with system, processor and C library from the name', () => {
    const lock = {
      packages: {
        'node_modules/tool': {
          dev: true,
          optionalDependencies: {
            '@tool/binding-linux-x64-musl': '1.2.3',
            '@tool/binding-win32-ia32-msvc': '1.2.3',
            '@tool/listed': '1.2.3',
          },
        },
        'node_modules/tool/node_modules/@tool/listed': {},
      },
    }
    const common = { version: '1.2.3', dev: true, optional: true }
    expect(missingFromLock(lock)).toEqual([
      {
        key: 'node_modules/@tool/binding-linux-x64-musl',
        entry: { ...common, cpu: ['x64'], libc: ['musl'], os: ['linux'] },
      },
      {
        key: 'node_modules/@tool/binding-win32-ia32-msvc',
        entry: { ...common, cpu: ['ia32'], os: ['win32'] },
      },
    ])
  })
})
