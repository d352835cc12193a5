import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
let copy: string

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'tabscope-layers-'))
  for (const name of ['src', 'tsconfig.json', '.oxlintrc.json', 'package.json']) {
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true })
  }
  // Without the compiler's cache: it notes there even what it was told not to emit, and would mislead the next build.
  mkdirSync(path.join(copy, 'node_modules'))
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (name.startsWith('.')) continue
    const target = path.join(root, 'node_modules', name)
    symlinkSync(target, path.join(copy, 'node_modules', name), 'junction')
  }
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function run(script: string, ...args: string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'node_modules', script), ...args],
    { cwd: copy, encoding: 'utf8' },
  )
  return { code: status, output: stdout + stderr }
}

/** Runs `check` while `file` of the copy holds `text`. */
function withFile<T>(file: string, text: string, check: () => T): T {
  const target = path.join(copy, file)
  writeFileSync(target, text)
  try {
    return check()
  } finally {
    unlinkSync(target)
  }
}

/** Each line: the layer, and what it must not import. One of its own files imports it, in every way there is. */
const refused: readonly (readonly [layer: string, specifier: string])[] = [
  ['contract', '#catalogue/catalogue.ts'],
  ['contract', '#engine/engine.ts'],
  ['contract', '../engine/engine.ts'],
  ['contract', 'node:fs'],
  ['contract', 'react'],
  ['catalogue', '#engine/engine.ts'],
  ['catalogue', '../engine/engine.ts'],
  ['catalogue', 'node:fs'],
  ['catalogue', 'react'],
  ['engine', '#hosts/electron/app-url.ts'],
  ['engine', '../hosts/electron/app-url.ts'],
  ['engine', '#renderer/main.tsx'],
  ['engine', '#sandbox/sandbox.ts'],
  ['engine', 'electron'],
  ['engine', 'react'],
  ['engine', 'ws'],
  ['sandbox', '#engine/engine.ts'],
  ['sandbox', '../engine/engine.ts'],
  ['sandbox', '#hosts/electron/app-url.ts'],
  ['sandbox', 'electron'],
  ['hosts', '#renderer/main.tsx'],
  ['hosts', '../renderer/main.tsx'],
  ['hosts', 'react'],
  ['renderer', '#engine/engine.ts'],
  ['renderer', '../engine/engine.ts'],
  ['renderer', '#sandbox/sandbox.ts'],
  ['renderer', '#hosts/electron/app-url.ts'],
  ['renderer', 'electron'],
  ['renderer', 'node:fs'],
  ['renderer', 'fs'],
  ['renderer', 'better-sqlite3'],
]

describe('the lint rule', () => {
  it('passes the sources as they are', () => {
    const { output } = run('oxlint/bin/oxlint', 'src')
    expect(output).not.toContain('no-restricted-imports')
    // It did look at them.
    expect(output).toMatch(/on \d{2,} files/)
  })

  it.each(refused)('refuses that %s imports %s', (layer, specifier) => {
    const text = `import * as wrong from '${specifier}'\nexport const held = wrong\n`
    const file = `src/${layer}/wrong-import.ts`
    const { code, output } = withFile(file, text, () => run('oxlint/bin/oxlint', file))
    expect(code).not.toBe(0)
    expect(output).toContain('no-restricted-imports')
  })
})

/** What the compiler refuses too: a file outside the layers that a layer's tsconfig refers to. */
const refusedByCompiler: readonly (readonly [layer: string, specifier: string])[] = [
  ['contract', '../engine/engine.ts'],
  ['catalogue', '../engine/engine.ts'],
  ['engine', '../hosts/electron/app-url.ts'],
  ['sandbox', '../engine/engine.ts'],
  ['renderer', '../engine/engine.ts'],
  ['renderer', '#hosts/electron/app-url.ts'],
]

const allowedByCompiler: readonly (readonly [layer: string, specifier: string])[] = [
  ['catalogue', '#contract/host.ts'],
  ['engine', '#catalogue/define.ts'],
  ['sandbox', '#catalogue/define.ts'],
  ['hosts', '#engine/engine.ts'],
  ['renderer', '#contract/host.ts'],
]

/** Its complaint about a file that is not on the layer's list. */
function outsideLayer(layer: string, specifier: string): string[] {
  const text = `import * as other from '${specifier}'\nexport const held: object = other\n`
  const { output } = withFile(`src/${layer}/wrong-import.ts`, text, () =>
    run('typescript/bin/tsc', '-p', `src/${layer}`, '--noEmit'),
  )
  return output.split('\n').filter((line) => /TS(6307|6059)/.test(line))
}

describe('the compiler', () => {
  it.each(refusedByCompiler)('refuses that %s imports %s', (layer, specifier) => {
    expect(outsideLayer(layer, specifier)).not.toEqual([])
  })

  it.each(allowedByCompiler)('lets %s import %s', (layer, specifier) => {
    expect(outsideLayer(layer, specifier)).toEqual([])
  })
})
