import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import { desktopChunks } from '#hosts/node/desktop-chunks.ts'

/** A command line and a desktop that share a little, load parts on demand, and need the bundler's runtime for CommonJS. */
const SOURCES = {
  'cli.ts':
    'for (const load of [() => import("./only-cli.ts"), () => import("./both.ts"), () => import("./shared.ts"), () => import("./legacy.cjs")]) load().then(console.log)',
  'main.ts':
    'import { shared } from "./shared.ts"; for (const load of [() => import("./both.ts"), () => import("./legacy.cjs")]) load().then((found) => console.log(found, shared))',
  'thread.ts':
    'import { both } from "./both.ts"; import one from "./legacy.cjs"; console.log(both, one)',
  'only-cli.ts': 'export const only = "only the command line"',
  'both.ts': 'export const both = "both"',
  'shared.ts': 'export const shared = "shared"',
  'legacy.cjs': 'exports.legacy = require("node:fs")',
}

interface Built {
  readonly chunks: Rolldown.OutputChunk[]
  readonly nameOf: (module: string) => string
}

/** `leftOut`: a chunk that is named as if only the command line loaded it. */
async function bundle(
  leftOut?: string,
  sources: Readonly<Record<string, string>> = SOURCES,
  options?: Parameters<typeof desktopChunks>[1],
): Promise<Built> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-chunks-'))
  try {
    for (const [name, code] of Object.entries(sources)) writeFileSync(path.join(folder, name), code)
    const named = desktopChunks('cli', options)
    const result = await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      plugins: [named.plugin],
      build: {
        write: false,
        ssr: true,
        minify: false,
        rolldownOptions: {
          input: Object.fromEntries(
            ['cli', 'main', 'thread'].map((name) => [name, path.join(folder, `${name}.ts`)]),
          ),
          output: {
            entryFileNames: '[name].js',
            ...(options ? { codeSplitting: { groups: named.groups } } : {}),
            chunkFileNames: (chunk) =>
              chunk.name === leftOut ? 'cli-[name]-[hash].js' : named.chunkFileNames(chunk),
          },
        },
      },
    })
    if (!('output' in result)) throw new Error('One build has one output.')
    const chunks = result.output.filter((one) => one.type === 'chunk')
    return {
      chunks,
      nameOf: (module) =>
        chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))?.fileName ?? '',
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A command line whose entry loads its program, and a desktop that shares a part of it. */
const STARTED = {
  'cli.ts':
    'import { version } from "./version.ts"; import("./program.ts").then((all) => console.log(all, version))',
  'program.ts':
    'import { output } from "./output.ts"; import { errors } from "./errors.ts"; import { version } from "./version.ts"; console.log(output, errors, version, await import("./command.ts"))',
  'command.ts':
    'import { output } from "./output.ts"; export const command = ["command", output, () => import("./session.ts")]',
  'session.ts':
    'import { address } from "./address.ts"; import { errors } from "./errors.ts"; export const session = ["session", address, errors]',
  'main.ts': 'import { errors } from "./errors.ts"; console.log("main", errors)',
  'thread.ts': 'console.log("thread")',
  'version.ts': 'export const version = ["version"]',
  'output.ts': 'export const output = ["output"]',
  'errors.ts': 'export const errors = ["errors"]',
  'address.ts': 'export const address = ["address"]',
}

const isCli = (name: string): boolean => name === 'cli.js' || name.startsWith('cli-')

describe('the names of chunks', () => {
  it('start with cli- if only the command line loads them', async () => {
    const { chunks, nameOf } = await bundle()
    expect(nameOf('/only-cli.ts')).toMatch(/^cli-/)
    for (const module of ['/both.ts', '/shared.ts', '/legacy.cjs', 'rolldown/runtime.js']) {
      expect(nameOf(module), module).toMatch(/^(?!cli)[\w-]+\.js$/)
    }
    for (const { fileName, imports, dynamicImports } of chunks) {
      if (!isCli(fileName)) expect([...imports, ...dynamicImports].filter(isCli)).toEqual([])
    }
  })

  it('fail the build if a packaged chunk imports one that is not packaged', async () => {
    await expect(bundle('both')).rejects.toThrow(
      /(main|thread)\.js is packaged and imports cli-both-.*, which is not\./,
    )
  })

  it('put the common imports of all commands into two chunks, separate from the entry and the command runner', async () => {
    const { chunks, nameOf } = await bundle(undefined, STARTED, {
      main: '/program.ts',
      started: ['/session.ts'],
    })
    expect(nameOf('/output.ts')).toMatch(/^cli-start-/)
    for (const module of ['/session.ts', '/address.ts']) {
      expect(nameOf(module), module).toBe(nameOf('/output.ts'))
    }
    expect(nameOf('/errors.ts')).toMatch(/^shared-start-/)
    // In the chunk of the others it would wait for a command, which waits for that chunk.
    expect(
      chunks.find(({ fileName }) => fileName === nameOf('/program.ts'))?.moduleIds,
    ).toHaveLength(1)
    expect(nameOf('/command.ts')).not.toBe(nameOf('/output.ts'))
    const entry = chunks.find(({ fileName }) => fileName === 'cli.js')
    expect(entry?.imports).toEqual([nameOf('/version.ts')])
    expect(nameOf('/version.ts')).toMatch(/^cli-entry-/)
  })
})
