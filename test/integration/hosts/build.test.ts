import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { tempFolder } from '#test/support/temp-folder.ts'
import { full } from '#test/support/full.ts'

const repository = path.resolve(import.meta.dirname, '../../..')

/** Replaces the builder: counts its runs, takes a moment, and creates a command line that prints its arguments. */
const BUILDER = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
appendFileSync('builds', 'b')
console.log('noise of the builder')
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
if (readFileSync('src/code.ts', 'utf8') === 'broken') { console.error('it is broken'); process.exit(1) }
for (const made of ['main', 'renderer']) mkdirSync('out/' + made, { recursive: true })
writeFileSync('out/main/cli.js', 'console.log(JSON.stringify(process.argv.slice(2)))')
`

let root: string
beforeEach(() => {
  root = tempFolder()
  for (const folder of ['src/hosts/node', 'src/build'])
    cpSync(path.join(repository, folder), path.join(root, folder), { recursive: true })
  const bin = path.join(root, 'node_modules/electron-vite/bin')
  mkdirSync(bin, { recursive: true })
  symlinkSync(path.join(repository, 'node_modules/vite'), path.join(bin, '../../vite'))
  writeFileSync(path.join(root, 'package.json'), '{"type":"module"}')
  writeFileSync(path.join(bin, '../package.json'), '{"type":"module"}')
  writeFileSync(path.join(bin, 'electron-vite.js'), BUILDER)
  writeFileSync(path.join(root, 'electron.vite.config.ts'), '')
  writeFileSync(path.join(root, 'src/code.ts'), 'one')
})

async function launch(
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [path.join(root, 'src/hosts/node/launch.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', TABSCOPE_NO_ELECTRON: '1' },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, out, err }
}

const builds = (): string => readFileSync(path.join(root, 'builds'), 'utf8')

describe('the launcher', () => {
  it('builds once, then starts the build, and leaves stdout to the command', async () => {
    const first = await launch('send', '--to', 'x')
    expect(first).toEqual({ code: 0, out: '["send","--to","x"]\n', err: 'Building Tabscope…\n' })
    const second = await launch('send')
    expect(second).toEqual({ code: 0, out: '["send"]\n', err: '' })
    expect(builds()).toBe('b')
  })

  it('rebuilds after a change of the interface only for commands that show it', async () => {
    await launch()
    mkdirSync(path.join(root, 'src/renderer'))
    writeFileSync(path.join(root, 'src/renderer/page.ts'), 'new')
    await launch('delivery', 'list')
    expect(builds()).toBe('b')
    await launch('--data', 'x', 'serve')
    expect(builds()).toBe('bb')
    await launch('delivery', 'list')
    expect(builds()).toBe('bb')
  })

  it('prints the version without a build', async () => {
    writeFileSync(path.join(root, 'package.json'), '{"type":"module","version":"1.2.3"}')
    for (const word of ['--version', '-V', 'version'])
      expect(await launch(word)).toEqual({ code: 0, out: 'tabscope 1.2.3\n', err: '' })
    expect(existsSync(path.join(root, 'out'))).toBe(false)
  })

  it('builds once for simultaneous launches', async () => {
    const all = await Promise.all(Array.from({ length: 3 }, async () => launch('x')))
    expect(all.map(({ code, out }) => [code, out])).toEqual(
      Array.from({ length: 3 }, () => [0, '["x"]\n']),
    )
    expect(builds()).toBe('b')
  })

  it.runIf(full)('shows why the build failed, and retries', async () => {
    writeFileSync(path.join(root, 'src/code.ts'), 'broken')
    const broken = await launch()
    expect(broken.code).toBe(1)
    expect(broken.out).toBe('')
    expect(broken.err).toContain('it is broken')
    expect(existsSync(path.join(root, 'out/.stamp'))).toBe(false)
    writeFileSync(path.join(root, 'src/code.ts'), 'mended')
    expect((await launch()).code).toBe(0)
  })

  it.runIf(full)('reports what to do when the packages are missing', async () => {
    rmSync(path.join(root, 'node_modules'), { recursive: true })
    const { code, err } = await launch()
    expect(code).toBe(1)
    expect(err).toContain('npm ci')
  })

  it('starts the interface for a browser if there is no display, and says why', async () => {
    await launch()
    const { code, out, err } = await launch('start', '--port', '4801')
    expect(code).toBe(0)
    expect(err.trim().split('\n')).toHaveLength(1)
    const serve = ['serve', '--port', '4801']
    const expected = process.platform === 'linux' ? [...serve, '--no-open'] : serve
    expect(JSON.parse(out)).toEqual(expected)
    const before = await launch('--data', 'folder', 'start', '--port', '4801')
    expect(JSON.parse(before.out)).toEqual([expected[0], '--data', 'folder', ...expected.slice(1)])
  })
})
