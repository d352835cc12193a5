import path from 'node:path'
import { defineConfig } from 'vitest/config'

const root = path.resolve(import.meta.dirname, '..')

/** Projects whose files start processes, browsers or servers, and wait for them most of the time. */
const heavy = {
  testTimeout: 60_000,
  hookTimeout: 90_000,
  // The usual second is too short for a browser that shares its processor.
  expect: { poll: { timeout: 15_000 } },
}
const light = { testTimeout: 10_000, hookTimeout: 30_000 }

function project(
  name: string,
  options: (typeof heavy | typeof light) & { fileParallelism?: boolean },
) {
  return {
    extends: true as const,
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`, `test/${name}/**/*.test.tsx`],
      ...options,
    },
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
    maxWorkers: 2,
    passWithNoTests: true,
    projects: [
      project('unit', light),
      project('conformance', light),
      project('store', { ...light, testTimeout: 30_000 }),
      project('integration', heavy),
      project('e2e', heavy),
      // One file at a time: windows take the focus from each other.
      project('desktop', { ...heavy, fileParallelism: false }),
    ],
  },
})
