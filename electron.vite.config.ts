import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { releaseKeyOf } from './src/hosts/electron/updates/signed-sums.ts'
import { commandChunks } from './src/hosts/node/command-chunks.ts'
import { collectPackages } from './src/hosts/node/licences/collect.ts'

const updateKey = process.env['TABSCOPE_UPDATE_KEY'] ?? ''
// An app that was given something else would not start.
releaseKeyOf(updateKey)
const renderer = collectPackages('renderer')
const chunks = commandChunks({
  entry: '/hosts/node/cli-entry.ts',
  main: '/hosts/node/cli.ts',
  started: ['/hosts/node/session.ts', '/hosts/node/reading.ts'],
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

/** The `index.ts` of a feature has no effect of its own: a chunk gets what it uses of it, not the whole feature. */
const onlyWhatIsUsed = {
  moduleSideEffects: [{ test: /\/renderer\/features\/[^/]+\/index\.ts$/, sideEffects: false }],
}

// One build makes both hosts: the Electron entries and the command line share engine, workers and interface.
export default defineConfig({
  main: {
    // The key by which releases are signed (SPKI, DER, Base64). Without one a build does not ask for updates.
    define: { __UPDATE_KEY__: JSON.stringify(updateKey) },
    plugins: [evaluated, plainBuiltins, chunks.plugin, collectPackages('main').own],
    build: {
      outDir: 'out/main',
      // The oldest Node that the package supports (`engines`). Electron's is newer.
      target: 'node22.15',
      sourcemap: true,
      rolldownOptions: {
        input: {
          'electron-main': 'src/hosts/electron/main.ts',
          'engine-process': 'src/hosts/electron/engine-process/entry.ts',
          cli: 'src/hosts/node/cli-entry.ts',
          'capture-thread': 'src/engine/capture/worker.ts',
          'writer-thread': 'src/engine/store/writer-thread.ts',
          'indexer-thread': 'src/engine/search/indexer/indexer-thread.ts',
          'reader-thread': 'src/engine/store/reader-thread.ts',
          'sender-thread': 'src/engine/sending/worker.ts',
          'export-thread': 'src/engine/event-logs/export/worker.ts',
          'import-thread': 'src/engine/event-logs/import/worker.ts',
          'rehearsal-thread': 'src/engine/rehearsal/worker.ts',
          'scenario-thread': 'src/engine/scenarios/worker.ts',
          'script-thread': 'src/engine/scripts/worker.ts',
          'relay-thread': 'src/engine/relay/worker.ts',
          'tunnel-thread': 'src/engine/tunnel/worker.ts',
        },
        external: ['bufferutil', 'utf-8-validate'],
        // Beside the entries, so that what is found from a file of ours is found from whichever it lands in.
        output: {
          chunkFileNames: '[name]-[hash].js',
          codeSplitting: {
            groups: [
              ...chunks.groups,
              // In one chunk.
              { name: 'zod', test: /\/node_modules\/zod\// },
            ],
          },
        },
      },
    },
  },
  preload: {
    plugins: [collectPackages('preload').own],
    build: {
      outDir: 'out/preload',
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
    plugins: [react(), renderer.own],
    worker: {
      format: 'es',
      plugins: renderer.workers,
      rolldownOptions: { treeshake: onlyWhatIsUsed },
    },
    build: {
      outDir: 'out/renderer',
      minify: true,
      sourcemap: false,
      // A font as a data: address would break the policy.
      assetsInlineLimit: 0,
      rolldownOptions: { input: { index: 'src/renderer/index.html' }, treeshake: onlyWhatIsUsed },
    },
  },
})
