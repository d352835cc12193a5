import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = path.resolve(import.meta.dirname, '..')

/** Set by `npm run test:full`. See test/support/full.ts. */
const full = process.env['TABSCOPE_TEST_FULL'] === '1'
/** Files that only `npm run test:full` runs. */
const slow = full ? [] : ['**/*.full.test.{ts,tsx}']

/**
 * Projects whose files start processes, browsers or servers, and wait for them most of the time. The limits only end tests that hang: they must be
 * far above what the tests take on a slow computer. The usual second of a poll is too short for a thread or a browser that shares its processor.
 */
const heavy = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 60_000 } } }
/** A worker has a browser of its own, whose processes need a core: more workers than cores only cost time. */
const browsing = { ...heavy, maxWorkers: 2, sequence: { groupOrder: 1 } }
const light = { testTimeout: 60_000, hookTimeout: 60_000, expect: heavy.expect }

function project(
  name: string,
  options: (typeof heavy | typeof browsing | typeof light) & {
    include?: string[]
    exclude?: string[]
    fileParallelism?: boolean
    isolate?: boolean
    setupFiles?: string[]
  },
) {
  return {
    extends: true as const,
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`, `test/${name}/**/*.test.tsx`],
      ...options,
      exclude: [...(options.exclude ?? []), ...slow],
    },
  }
}

/** Files of a project that need their own process or modules, and do not share them. */
function apart(name: string, sign: RegExp): string[] {
  return globSync(`test/${name}/**/*.test.{ts,tsx}`, { cwd: root }).filter((file) =>
    sign.test(readFileSync(path.join(root, file), 'utf8')),
  )
}
/** They mock a module, or change the time zone. */
const unitApart = apart('unit', /vi\.(?:mock|resetModules)\(/)
/** They trust other certificates, change the environment of the process, or count its open handles. */
const integrationApart = apart(
  'integration',
  /vi\.(?:mock|resetModules|stubEnv)\(|setDefaultCACertificates|openHandles\(process\.pid\)/,
)
/** They fill the disk or the processors, so that others beside them do not answer within seconds, or elect no leader within minutes. */
const integrationAlone = [
  'test/integration/relay/backlog.full.test.ts',
  'test/integration/relay/cluster.full.test.ts',
  'test/integration/largest-body.full.test.ts',
]
const realElectron = ['test/desktop/real-electron.full.test.ts']

/** Files that take longest, so that none of them runs alone at the end. Vitest knows that only from an earlier run. */
const longestNames =
  /accessibility\/|relay\/kill|rehearsal\/matrix|e2e\/rehearsal|cli\/(?:mcp|guide|exit-codes)|canary-|generate\/handlers|full-disk|largest-body|health-month/
const isLong = ({ moduleId }: TestSpecification): boolean => longestNames.test(moduleId)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  root,
  resolve: {
    alias: {
      // A stray `import 'electron'` would download the binary in the middle of a test.
      electron: path.join(root, 'test/support/no-electron.ts'),
    },
  },
  test: {
    pool: 'forks',
    // Twice the cores of a small machine: most of these files wait for others most of the time.
    maxWorkers: 4,
    // Every engine starts four threads, and V8 begins each with a young generation of one megabyte: a fifth of their start was its collection.
    execArgv: ['--min-semi-space-size=16'],
    passWithNoTests: true,
    // Styles are empty in tests, except those that an exported page contains.
    css: { include: [/format-parts\/page\.css/] },
    sequence: { sequencer: LongestFirst },
    projects: [
      // Modules are loaded once for all files: to load them for each took more time than to run the tests.
      project('unit', { ...light, exclude: unitApart, isolate: false }),
      project('unit-apart', { ...light, include: unitApart }),
      project('conformance', light),
      project('store', { ...light, isolate: false }),
      project('integration', {
        ...heavy,
        exclude: [...integrationApart, ...integrationAlone],
        isolate: false,
      }),
      project('integration-apart', { ...heavy, include: integrationApart }),
      project('integration-alone', {
        ...heavy,
        include: integrationAlone,
        maxWorkers: 1,
        sequence: { groupOrder: 2 },
      }),
      // So is the browser: see test/support/product.ts and test/support/electron-double/launch.ts.
      project('e2e', { ...browsing, isolate: false, setupFiles: ['test/support/close-pages.ts'] }),
      project('desktop', { ...browsing, exclude: realElectron, isolate: false }),
      // One file at a time: windows take the focus from each other.
      project('real-electron', { ...heavy, include: realElectron, fileParallelism: false }),
    ],
  },
})
