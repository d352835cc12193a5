import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const root = path.resolve(import.meta.dirname, '../..')
let copy: string

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'tabscope-layers-'))
  for (const name of ['src', 'tsconfig.json', '.oxlintrc.json', 'package.json']) {
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true })
  }
  // Without the compiler's cache: it also caches output that is not emitted, which would mislead the next build.
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

type Import = readonly [layer: string, specifier: string]

/** Runs `check` while each of the imports stands in a file of its own in its layer; `check` is given those files. */
function withImports<T>(imports: readonly Import[], check: (files: string[]) => T): T {
  const files = imports.map(([layer], at) => `src/${layer}/wrong-import-${at}.ts`)
  for (const [at, [, specifier]] of imports.entries()) {
    const text = `import * as wrong from '${specifier}'\nexport const held: object = wrong\n`
    writeFileSync(path.join(copy, files[at] ?? ''), text)
  }
  try {
    return check(files)
  } finally {
    for (const file of files) unlinkSync(path.join(copy, file))
  }
}

/** Each line: the layer, and what it must not import. One of its own files imports it, in every way there is. */
const refused: readonly Import[] = [
  ['contract', '#catalogue/catalogue.ts'],
  ['contract', '#engine/app/engine.ts'],
  ['contract', '../engine/app/engine.ts'],
  ['contract', 'node:fs'],
  ['contract', 'react'],
  ['catalogue', '#engine/app/engine.ts'],
  ['catalogue', '../engine/app/engine.ts'],
  ['catalogue', 'node:fs'],
  ['catalogue', 'react'],
  ['engine', '#hosts/electron/app-url.ts'],
  ['engine', '../hosts/electron/app-url.ts'],
  ['engine', '#renderer/main.tsx'],
  ['engine', '#sandbox/sandbox.ts'],
  ['engine', 'electron'],
  ['engine', 'react'],
  ['engine', 'ws'],
  ['sandbox', '#engine/app/engine.ts'],
  ['sandbox', '../engine/app/engine.ts'],
  ['sandbox', '#hosts/electron/app-url.ts'],
  ['sandbox', 'electron'],
  ['hosts', '#renderer/main.tsx'],
  ['hosts', '../renderer/main.tsx'],
  ['hosts', 'react'],
  ['renderer', '#engine/app/engine.ts'],
  ['renderer', '../engine/app/engine.ts'],
  ['renderer', '#sandbox/sandbox.ts'],
  ['renderer', '#hosts/electron/app-url.ts'],
  ['renderer', 'electron'],
  ['renderer', 'node:fs'],
  ['renderer', 'fs'],
  ['renderer', 'better-sqlite3'],
]

describe('the lint rule', () => {
  // All in one run, since the program takes longer to start than to look.
  let complaints: string[]
  beforeAll(() => {
    complaints = withImports(refused, (files) =>
      run('oxlint/bin/oxlint', '--format=unix', ...files).output.split('\n'),
    )
  })

  it.each(refused.map((one, at) => [...one, at] as const))(
    'refuses that %s imports %s',
    (layer, _specifier, at) => {
      const ofIt = complaints.filter((line) =>
        line.startsWith(`src/${layer}/wrong-import-${at}.ts:`),
      )
      expect(ofIt.join('\n')).toContain('Error/eslint(no-restricted-imports)')
    },
  )
})

/** What the compiler refuses too: a file outside the layers that a layer's tsconfig refers to. Small ones: it reads all that they import. */
const refusedByCompiler: readonly Import[] = [
  ['contract', '../engine/platform/errors.ts'],
  ['catalogue', '../engine/platform/errors.ts'],
  ['engine', '../hosts/electron/app-url.ts'],
  ['sandbox', '../engine/platform/errors.ts'],
  ['renderer', '../engine/platform/errors.ts'],
  ['renderer', '#hosts/electron/app-url.ts'],
]

const allowedByCompiler: readonly Import[] = [
  ['catalogue', '#contract/host.ts'],
  ['engine', '#catalogue/define.ts'],
  ['sandbox', '#catalogue/define.ts'],
  ['hosts', '#engine/platform/errors.ts'],
  ['renderer', '#contract/host.ts'],
]

/** The complaints of the compiler about files that are not on the list of a layer, as they would be if it had the imports. */
function outsideLayers(imports: readonly Import[]): string[] {
  return withImports(imports, () =>
    [...new Set(imports.map(([layer]) => layer))].flatMap((layer) => {
      // The layer's own settings, except for the files: with all files, each layer would be compiled again.
      const file = path.join(copy, `src/${layer}/tsconfig.json`)
      const settings = z.looseObject({}).parse(JSON.parse(readFileSync(file, 'utf8')))
      const probing = `src/${layer}/tsconfig.probe.json`
      writeFileSync(
        path.join(copy, probing),
        JSON.stringify({ ...settings, include: ['wrong-import-*.ts'] }),
      )
      const { output } = run('typescript/bin/tsc', '-p', probing, '--noEmit')
      return output.split('\n').filter((line) => /TS(6307|6059)/.test(line))
    }),
  )
}

describe('the compiler', () => {
  let refusals: string[]
  let misgivings: string[]
  beforeAll(() => {
    refusals = outsideLayers(refusedByCompiler)
    misgivings = outsideLayers(allowedByCompiler)
  })

  it.each(refusedByCompiler.map((one, at) => [...one, at] as const))(
    'refuses that %s imports %s',
    (layer, _specifier, at) => {
      const ofIt = refusals.filter((line) => line.startsWith(`src/${layer}/wrong-import-${at}.ts(`))
      expect(ofIt).not.toEqual([])
    },
  )

  it.each(allowedByCompiler)('lets %s import %s', (layer) => {
    expect(misgivings.filter((line) => line.startsWith(`src/${layer}/wrong-import`))).toEqual([])
  })
})
