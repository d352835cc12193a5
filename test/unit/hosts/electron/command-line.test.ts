import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { CommandLineInstaller, fileWord, placesFor } from '#hosts/electron/command-line.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

vi.mock('electron', () => ({ app: {} }))

/** An app, and a user with these folders on the path. */
function prepare(folder: string, searched: readonly string[] = ['/usr/bin', '/bin']) {
  const root = path.join(folder, 'app.asar')
  const write = (name: string, text: string, mode = 0o644): void => {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text, { mode })
  }
  write('app.asar/package.json', '{"type":"module"}')
  write('app.asar/out/main/cli.js', 'console.log("ran", ...process.argv.slice(2))')
  write('app.asar/out/main/electron-main.js', '')
  write('app.asar/out/renderer/assets/index.js', '')
  write('app.asar/node_modules/better-sqlite3/lib/index.js', '')
  const home = path.join(folder, "o'home")
  const bin = path.join(home, '.local/bin')
  const env = { HOME: home, SHELL: '/bin/sh', PATH: searched.join(':') }
  const open = (version = '1.0.0') =>
    new CommandLineInstaller({
      root,
      version,
      isPackaged: true,
      env,
      home,
      platform: 'linux',
    })
  const launcher = path.join(bin, 'tabscope')
  const code = path.join(home, '.local/share/tabscope-command-line')
  return { open, write, home, bin, launcher, code, env }
}

describe.runIf(process.platform === 'linux')('the command line of the packaged app', () => {
  it('is installed for the user, who is told how to find it, and removed without a trace', async () => {
    await using folder = ownedFolder()
    const { open, bin, launcher, code } = prepare(folder.path)
    expect(await open().change(null)).toEqual({ command: null, problem: null })
    const installed = await open().change('install')
    expect(installed.command).toBe(fileWord(launcher))
    expect(installed.problem).toContain(`export PATH="${bin}:$PATH"`)
    const run = spawnSync(launcher, ['wait', '--for', 'a b'], { encoding: 'utf8' })
    expect({ code: run.status, out: run.stdout }).toEqual({ code: 0, out: 'ran wait --for a b\n' })
    expect(readdirSync(path.join(code, '1.0.0/out/main'))).toEqual(['cli.js'])
    expect(existsSync(path.join(code, '1.0.0/node_modules/better-sqlite3/lib/index.js'))).toBe(true)
    expect(await open().change('remove')).toEqual({ command: null, problem: null })
    expect([existsSync(launcher), existsSync(code)]).toEqual([false, false])
  })

  it('is tabscope where its folder is on the path', async () => {
    await using folder = ownedFolder()
    const home = path.join(folder.path, "o'home")
    const { open } = prepare(folder.path, [path.join(home, '.local/bin'), '/bin'])
    expect(await open().change('install')).toEqual({ command: 'tabscope', problem: null })
  })

  it('follows an update of the app, and keeps its launcher', async () => {
    await using folder = ownedFolder()
    const { open, write, launcher, code } = prepare(folder.path)
    await open('2.0.0').refresh()
    expect(existsSync(code)).toBe(false)
    await open().change('install')
    const before = readFileSync(launcher, 'utf8')
    write('app.asar/out/main/cli.js', 'console.log("updated")')
    await open('2.0.0').refresh()
    expect(spawnSync(launcher, { encoding: 'utf8' }).stdout).toBe('updated\n')
    expect(readFileSync(launcher, 'utf8')).toBe(before)
    expect(readdirSync(code).sort()).toEqual(['2.0.0', 'tabscope.mjs'])
  })

  it.each(['a file', 'a link'])('never overwrites %s of somebody else', async (kind) => {
    await using folder = ownedFolder()
    const { open, launcher, write } = prepare(folder.path)
    write('elsewhere', '#!/bin/sh\n')
    mkdirSync(path.dirname(launcher), { recursive: true })
    if (kind === 'a file') writeFileSync(launcher, 'own')
    else symlinkSync(path.join(folder.path, 'elsewhere'), launcher)
    const before = readFileSync(launcher, 'utf8')
    await expect(open().change('install')).rejects.toThrow('was not installed by this app')
    expect(await open().change('remove')).toEqual({ command: null, problem: null })
    expect(readFileSync(launcher, 'utf8')).toBe(before)
  })

  it('says which Node is required at each run', async () => {
    await using folder = ownedFolder()
    const bin = path.join(folder.path, 'bin')
    const { open, launcher, env } = prepare(folder.path, [bin])
    await open().change('install')
    const run = spawnSync(launcher, { env, encoding: 'utf8' })
    expect({ code: run.status, error: run.stderr }).toEqual({
      code: 2,
      error:
        'The command line of Tabscope requires Node 22.15 or later. Install it from https://nodejs.org.\n',
    })
  })
})

describe('where the command line is installed', () => {
  it.each([
    ['linux', {}, '/home/a/.local/bin/tabscope', '/home/a/.local/share/tabscope-command-line'],
    [
      'darwin',
      {},
      '/home/a/.local/bin/tabscope',
      '/home/a/Library/Application Support/Tabscope/command-line',
    ],
    [
      'win32',
      { LOCALAPPDATA: 'C:\\L' },
      'C:\\L\\Programs\\tabscope-command-line\\tabscope.cmd',
      'C:\\L\\Programs\\tabscope-command-line\\app',
    ],
  ] as const)('on %s', (platform, env, launcher, code) => {
    expect(placesFor(platform, env, '/home/a')).toEqual({ launcher, code })
  })
})
