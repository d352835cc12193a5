import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { candidates, findProgram } from '#engine/receiving/tunnel/program/find.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

describe('Looking for a program', () => {
  it('searches the path in order, and skips relative folders', () => {
    const env = { PATH: '/opt/a:.::bin:/usr/bin:/opt/a' }
    expect(candidates('ngrok', env, 'linux')).toEqual(['/opt/a/ngrok', '/usr/bin/ngrok'])
  })

  it('also searches the usual program folders if Tabscope was started from the macOS Dock', () => {
    expect(candidates('ngrok', { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' }, 'darwin')).toEqual([
      '/usr/bin/ngrok',
      '/bin/ngrok',
      '/usr/sbin/ngrok',
      '/sbin/ngrok',
      '/opt/homebrew/bin/ngrok',
      '/usr/local/bin/ngrok',
    ])
    expect(candidates('ngrok', { PATH: '/opt/a' }, 'darwin')).toEqual(['/opt/a/ngrok'])
    expect(candidates('ngrok', {}, 'darwin')).toEqual([])
  })

  it('only considers files on Windows that run without a shell', () => {
    const env = { Path: 'C:\\Tools;"C:\\Program Files\\ngrok";tools', PathExt: '.BAT;.CMD;.EXE' }
    expect(candidates('ngrok', env, 'win32')).toEqual([
      'C:\\Tools\\ngrok.EXE',
      'C:\\Program Files\\ngrok\\ngrok.EXE',
    ])
    expect(candidates('ngrok', { PATH: 'C:\\Tools' }, 'win32')).toEqual([
      'C:\\Tools\\ngrok.COM',
      'C:\\Tools\\ngrok.EXE',
    ])
  })

  it('finds nothing without a path', () => {
    expect(candidates('ngrok', {}, 'linux')).toEqual([])
  })

  it.skipIf(process.platform === 'win32')(
    'passes over a folder of that name, and what may not be run',
    async () => {
      const [first, second, third] = [tempFolder(), tempFolder(), tempFolder()]
      mkdirSync(path.join(first, 'ngrok'))
      writeFileSync(path.join(second, 'ngrok'), '')
      writeFileSync(path.join(third, 'ngrok'), '')
      const env = { PATH: [first, second, third].join(':') }
      expect(await findProgram('ngrok', env)).toBeNull()
      chmodSync(path.join(third, 'ngrok'), 0o755)
      expect(await findProgram('ngrok', env)).toBe(path.join(third, 'ngrok'))
    },
  )
})
