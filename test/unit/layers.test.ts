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
  for (const name of [
    'src',
    'tsconfig.json',
    '.oxlintrc.json',
    'package.json',
    'test/support/lint-layers.mjs',
  ]) {
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
  ['engine', '#kit/Button.tsx'],
  ['hosts', '#renderer/main.tsx'],
  ['hosts', '#client/client.ts'],
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
  ['renderer/kit', '#client/client.ts'],
  ['renderer/client', '#parts/LearnMore.tsx'],
  ['renderer/client', '../parts/LearnMore.tsx'],
  ['renderer/parts/send', '#pages/send/drafts/DraftsPage.tsx'],
  ['renderer/parts/send', '../../app/Shell.tsx'],
  ['renderer/pages/send', '../setup/page.ts'],
  ['renderer/pages/send/drafts', '#pages/setup/page.ts'],
  ['renderer/pages/send/drafts', '../../health/page.ts'],
  ['renderer/pages/send', '#app/Shell.tsx'],
  ['engine/platform', '../payload/inspect.ts'],
  ['engine/payload', '#engine/deliveries/rows.ts'],
  ['engine/deliveries/health', '../../receiving/endpoints/registry.ts'],
  ['engine/receiving/listener', '../../search/search.ts'],
  ['engine/search', '../diagnosis/diagnose.ts'],
  ['engine/diagnosis', '../sending/sender.ts'],
  ['engine/sending/jobs', '../../authorization/tokens/tokens.ts'],
  ['engine/authorization', '../event-logs/service.ts'],
  ['engine/event-logs/import', '../../handlers/rehearsal/report.ts'],
  ['engine/handlers', '../app/context.ts'],
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
      expect(ofIt.join('\n')).toMatch(/Error\/(?:eslint\(no-restricted-imports\)|layers\(order\))/)
    },
  )
})
