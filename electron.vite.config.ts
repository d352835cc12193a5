import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { collectPackages } from './src/hosts/node/licences/collect.ts'

const renderer = collectPackages('renderer')

// One build makes both hosts: the Electron entries and the command line share engine, workers and interface.
export default defineConfig({
  main: {
    plugins: [collectPackages('main').own],
    build: {
      outDir: 'out/main',
      sourcemap: true,
      rolldownOptions: {
        input: {
          'electron-main': 'src/hosts/electron/main.ts',
          'engine-process': 'src/hosts/electron/engine-process.ts',
          cli: 'src/hosts/node/cli.ts',
          'capture-thread': 'src/engine/capture/thread.ts',
          'writer-thread': 'src/engine/store/writer-thread.ts',
          'reader-thread': 'src/engine/store/reader-thread.ts',
          'sender-thread': 'src/engine/send/thread.ts',
          'export-thread': 'src/engine/event-log/export/thread.ts',
          'import-thread': 'src/engine/event-log/import/thread.ts',
          'tunnel-thread': 'src/engine/tunnel/localtunnel-thread.ts',
        },
        external: ['bufferutil', 'utf-8-validate'],
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
    plugins: [react(), renderer.own],
    worker: { format: 'es', plugins: renderer.workers },
    build: {
      outDir: 'out/renderer',
      minify: true,
      sourcemap: false,
      // A font as a data: address would break the policy.
      assetsInlineLimit: 0,
      rolldownOptions: { input: { index: 'src/renderer/index.html' } },
    },
  },
})
