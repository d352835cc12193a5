import { EventEmitter } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tempFolder } from '#test/support/temp-folder.ts'
import { forwardSignals } from '../../../src/hosts/node/child-signals.mjs'
import { develop, runElectron, sandboxAdvice } from '../../../src/build/start.mjs'
import { partialDouble } from '#test/support/partial-double.ts'
import type { ChildProcess } from 'node:child_process'

let folder: string
beforeEach(() => {
  folder = tempFolder()
  vi.spyOn(process, 'getuid').mockReturnValue(1000)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** An executable that replaces Electron and runs `script`, with the folder of the test in FOLDER. */
function program(script: string): string {
  vi.stubEnv('FOLDER', folder)
  const file = path.join(folder, 'electron')
  writeFileSync(file, `#!${process.execPath}\n${script}`)
  chmodSync(file, 0o755)
  return file
}

const note = (expression: string): string =>
  `require('node:fs').writeFileSync(process.env.FOLDER + '/noted', String(${expression}))`
const noted = (): string => readFileSync(path.join(folder, 'noted'), 'utf8')
const isNoted = (): boolean => existsSync(path.join(folder, 'noted'))

// A script with a shebang line is not a program on Windows.
describe.skipIf(process.platform === 'win32')('starting Electron', () => {
  it('omits variables that would change how it runs', async () => {
    vi.stubEnv('ELECTRON_RUN_AS_NODE', '1')
    vi.stubEnv('ELECTRON_RENDERER_URL', 'http://localhost:5173')
    const script = note(
      '[process.env.ELECTRON_RUN_AS_NODE, process.env.ELECTRON_RENDERER_URL, process.env.FOLDER !== undefined]',
    )
    expect(await runElectron(program(script), [])).toBe(0)
    expect(noted()).toBe(',,true')
  })

  it('prints the commands that fix the permissions of the sandbox helper', async () => {
    const binary = program("process.kill(process.pid, 'SIGTRAP'); setInterval(() => 0, 1000)")
    expect(await runElectron(binary, [])).toContain('Electron could not start on this system;')
    const helper = path.join(folder, 'chrome-sandbox')
    writeFileSync(helper, '')
    const said = await runElectron(binary, [], { platform: 'linux' })
    expect(said).toContain(`\n  sudo chown root:root '${helper}'\n  sudo chmod 4755 '${helper}'\n`)
    expect(said).toContain('opening the same interface in your browser.')
  })

  it('passes the exit code on, and distinguishes an app error from a failed start', async () => {
    expect(await runElectron(program('process.exit(1)'), [])).toBe(1)
    expect(await runElectron(program('process.exit(127)'), [])).toContain('could not start')
    expect(await runElectron(path.join(folder, 'nothing'), [])).toContain('could not start')
  })

  it('asks it to quit where a signal would end it without notice, and waits until it has ended', async () => {
    const script = `process.on('message', (asked) => { ${note('asked')}; process.exit(3) })
      process.on('SIGINT', () => process.exit(4))
      ${note("'up'")}`
    const end = runElectron(program(script), [], { platform: 'win32' })
    await expect.poll(isNoted).toBe(true)
    process.emit('SIGINT', 'SIGINT')
    expect(await end).toBe(3)
    expect(noted()).toBe('quit')
  })
})

const advice = (uid: number, mode: number, signal: NodeJS.Signals | null = 'SIGTRAP') =>
  sandboxAdvice('/x/electron', signal, 'linux', () => ({ uid, mode }))

describe('advice on the sandbox helper', () => {
  it('is given if the helper is not owned by root, or not setuid', () => {
    expect(advice(1000, 0o100755)).toContain("sudo chown root:root '/x/chrome-sandbox'")
    expect(advice(0, 0o100755)).toContain("sudo chmod 4755 '/x/chrome-sandbox'")
    expect(advice(0, 0o104755)).toBeNull()
  })

  it('is not given for other errors, on other systems, or without a helper', () => {
    expect(advice(1000, 0o100755, 'SIGSEGV')).toBeNull()
    expect(advice(1000, 0o100755, null)).toBeNull()
    vi.spyOn(process, 'getuid').mockReturnValueOnce(0)
    expect(sandboxAdvice('/x/electron', 'SIGTRAP', 'linux', () => ({ uid: 0, mode: 0 }))).toBeNull()
    expect(sandboxAdvice('/x/electron', 'SIGTRAP', 'darwin')).toBeNull()
    expect(sandboxAdvice('/nowhere/electron', 'SIGTRAP', 'linux')).toBeNull()
  })

  it('can be pasted into a shell', () => {
    expect(
      sandboxAdvice("/it's here/electron", 'SIGTRAP', 'linux', () => ({ uid: 1000, mode: 0 })),
    ).toContain(`sudo chmod 4755 '/it'\\''s here/chrome-sandbox'`)
  })
})

it('npm run dev runs the development server with the installed binary, without variables that it must not inherit', async () => {
  vi.stubEnv('FOLDER', folder)
  vi.stubEnv('ELECTRON_RUN_AS_NODE', '1')
  const packages = path.join(folder, 'node_modules')
  mkdirSync(path.join(packages, 'electron/dist'), { recursive: true })
  mkdirSync(path.join(packages, 'electron-vite/bin'), { recursive: true })
  writeFileSync(path.join(packages, 'electron/path.txt'), 'electron')
  writeFileSync(path.join(packages, 'electron/dist/electron'), '')
  writeFileSync(path.join(packages, 'electron-vite/package.json'), '{"type":"commonjs"}')
  const given =
    'JSON.stringify([process.env.ELECTRON_EXEC_PATH, process.env.ELECTRON_RUN_AS_NODE ?? null, ...process.argv.slice(2)])'
  writeFileSync(
    path.join(packages, 'electron-vite/bin/electron-vite.js'),
    `${note(given)}; process.exit(5)`,
  )
  expect(await develop(folder, ['--data', 'x'])).toBe(5)
  const binary = path.join(packages, 'electron/dist/electron')
  expect(JSON.parse(noted())).toEqual([binary, null, 'dev', '--', '--data', path.resolve('x')])
})

/** The signals of `sent` that a child receives. */
function passed(
  options: { platform: NodeJS.Platform; inTerminal: boolean; channel?: boolean },
  ...sent: NodeJS.Signals[]
): unknown[] {
  const got: unknown[] = []
  const child = partialDouble<ChildProcess>(
    Object.assign(new EventEmitter(), {
      connected: options.channel === true,
      kill: (signal: NodeJS.Signals) => got.push(signal),
      send: (message: unknown) => got.push(message),
    }),
  )
  const signals = forwardSignals(child, options)
  expect(signals.received).toBe(false)
  for (const signal of sent) process.emit(signal, signal)
  expect(signals.received).toBe(true)
  signals.stop()
  return got
}

describe('signals', () => {
  it('are forwarded, except those that a terminal also sends to the child', () => {
    const all = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const
    expect(passed({ platform: 'linux', inTerminal: false }, ...all)).toEqual(all)
    expect(passed({ platform: 'linux', inTerminal: true }, ...all)).toEqual(['SIGTERM'])
  })

  it('never end a process on Windows', () => {
    const all = ['SIGINT', 'SIGBREAK', 'SIGHUP'] as const
    expect(passed({ platform: 'win32', inTerminal: true }, ...all)).toEqual([])
    expect(passed({ platform: 'win32', inTerminal: true, channel: true }, 'SIGINT')).toEqual([
      'quit',
    ])
  })
})
