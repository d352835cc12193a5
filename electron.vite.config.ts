import { pathToFileURL } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { commandChunks } from './src/build/command-chunks.ts'

/** Of the packages in a part of the build, for `licences/write.mjs`. */
const license = { fileName: 'licences.json' }
const chunks = commandChunks({
  entry: '/hosts/node/cli-entry.ts',
  main: '/hosts/node/cli.ts',
  started: ['/hosts/node/session/session.ts'],
})

/**
 * An import of a built-in module reads all its names, and some of them are loaded only then: with `node:http` undici, with `node:fs` its promises,
 * with `node:crypto` the web API, with `node:util` encodings. That is a seventh of what a process or thread of ours takes to start, and more of a
 * command. Asked for as a built-in module it gives only what is used. One line for one line: the source maps stay right.
 */
const plainBuiltins = {
  name: 'plain-builtins',
  renderChunk(code: string, { fileName }: { fileName: string }) {
    const imports = /^import (?:([\w$]+)(?:, )?)?(?:\{(.+)\})? from "(node:[\w/]+)";$/gm
    const plain = code.replaceAll(imports, (_line, whole: string, names: string, from: string) => {
      const module = `process.getBuiltinModule("${from}")`
      const parts = [
        ...(whole ? [`${whole} = ${module}`] : []),
        ...(names ? [`{${names.replaceAll(' as ', ': ')}} = ${module}`] : []),
      ]
      return `const ${parts.join(', ')};`
    })
    if (/^import .*"node:[\w/]+"/m.test(plain)) {
      throw new Error(`An import of a built-in module is left in ${fileName}.`)
    }
    return { code: plain, map: null }
  },
}

/** The value of `call-inputs.ts` in place of its code, which loads all schemas of the contract. */
const evaluated = {
  name: 'evaluated',
  async load(id: string) {
    if (!id.endsWith('/command-line/call-inputs.ts')) return null
    const { callInputs }: { callInputs: object } = await import(pathToFileURL(id).href)
    return { code: `export const callInputs = ${JSON.stringify(callInputs)}`, map: null }
  },
}

/** The page is at `app://tabscope`, without a port, so Vite's client cannot infer where its reloads come from. */
const developmentServer = {
  host: '127.0.0.1',
  port: 5173,
  strictPort: true,
  hmr: { protocol: 'ws', host: '127.0.0.1', clientPort: 5173 },
}

/** The browser takes the order of layers from the sheet that it loads first, which is that of any part: all of them state it. */
const layerOrder: Plugin = {
  name: 'layer-order',
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const asset of Object.values(bundle)) {
      if (asset.type !== 'asset' || !asset.fileName.endsWith('.css')) continue
      asset.source = `@layer properties,theme,base,kit,components,utilities,contrast;${String(asset.source)}`
    }
  },
}

// One build makes both hosts: the Electron entries and the command line share engine, workers and interface.
export default defineConfig({
  main: {
    plugins: [evaluated, plainBuiltins, chunks.plugin],
    build: {
      outDir: 'out/main',
      license,
      // The oldest Node that the package supports (`engines`). Electron's is newer.
      target: 'node22.15',
      sourcemap: true,
      rolldownOptions: {
        input: {
          'electron-main': 'src/hosts/electron/main.ts',
          'engine-process': 'src/hosts/electron/engine-process/entry.ts',
          cli: 'src/hosts/node/cli-entry.ts',
          'capture-thread': 'src/engine/receiving/listener/worker.ts',
          'writer-thread': 'src/engine/app/threads/writer-thread.ts',
          'indexer-thread': 'src/engine/app/threads/indexer-thread.ts',
          'reader-thread': 'src/engine/app/threads/reader-thread.ts',
          'sender-thread': 'src/engine/sending/worker.ts',
          'export-thread': 'src/engine/event-logs/export/worker.ts',
          'import-thread': 'src/engine/event-logs/import/worker.ts',
          'rehearsal-thread': 'src/engine/handlers/rehearsal/worker.ts',
          'script-thread': 'src/engine/sending/scripts/worker.ts',
          'relay-thread': 'src/engine/receiving/relay/worker.ts',
          'tunnel-thread': 'src/engine/receiving/tunnel/worker.ts',
        },
        external: ['bufferutil', 'utf-8-validate'],
        // Beside the entries, so that what is found from a file of ours is found from whichever it lands in.
        output: {
          chunkFileNames: '[name]-[hash].js',
          comments: { jsdoc: false },
          codeSplitting: {
            groups: [
              ...chunks.groups,
              // In one chunk each.
              { name: 'zod', test: /\/node_modules\/zod\// },
              { name: 'templates', test: /\/resources\/generate\// },
            ],
          },
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      license,
      externalizeDeps: false,
      // A sandboxed preload must be CommonJS although the package is not.
      rolldownOptions: {
        input: { preload: 'src/hosts/electron/preload.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    server: developmentServer,
    plugins: [react(), tailwindcss(), layerOrder],
    worker: { format: 'es' },
    build: {
      outDir: 'out/renderer',
      license,
      minify: true,
      cssTarget: ['chrome130', 'firefox128', 'safari18'],
      sourcemap: false,
      // A font as a data: address would break the policy.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: { index: 'src/renderer/index.html' },
        // What most tabs use is in one file: a hundred small ones are larger and slower to load.
        output: {
          codeSplitting: {
            groups: [{ name: 'shared', test: /\.(?:tsx?|json|m?js)$/, minShareCount: 14 }],
          },
        },
      },
    },
  },
})
