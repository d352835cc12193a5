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
  /** The name of the chunk with this module. */
  readonly nameOf: (module: string) => string
}

/** `leftOut`: a chunk that is named as if only the command line loaded it. */
async function bundle(leftOut?: string): Promise<Built> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-chunks-'))
  try {
    for (const [name, code] of Object.entries(SOURCES)) writeFileSync(path.join(folder, name), code)
    const named = desktopChunks('cli')
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

const isCli = (name: string): boolean => name === 'cli.js' || name.startsWith('cli-')

describe('the names of chunks', () => {
  it('begin with cli- where only the command line loads them', async () => {
    const { chunks, nameOf } = await bundle()
    expect(nameOf('/only-cli.ts')).toMatch(/^cli-/)
    for (const module of ['/both.ts', '/shared.ts', '/legacy.cjs', 'rolldown/runtime.js']) {
      expect(nameOf(module), module).toMatch(/^(?!cli)[\w-]+\.js$/)
    }
    for (const { fileName, imports, dynamicImports } of chunks) {
      if (!isCli(fileName)) expect([...imports, ...dynamicImports].filter(isCli)).toEqual([])
    }
  })

  it('end the build where a packaged chunk imports one that is left out', async () => {
    await expect(bundle('both')).rejects.toThrow(
      /(main|thread)\.js is packaged and imports cli-both-.*, which is not\./,
    )
  })
})
