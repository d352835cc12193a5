import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { collectPackages } from './licences/collect.ts'
import { neverNode, singleFile } from './single-file.ts'

// The page of the `html` format: the interface's own components over records that are put into the file, all in one piece.
export default defineConfig({
  root: 'src/viewer',
  plugins: [neverNode(), react(), collectPackages('viewer').own, singleFile()],
  logLevel: 'warn',
  build: {
    outDir: '../../out/viewer',
    emptyOutDir: true,
    minify: true,
    sourcemap: false,
    cssCodeSplit: false,
    assetsInlineLimit: 10_000_000,
    chunkSizeWarningLimit: 2000,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { viewer: 'src/viewer/viewer.html' },
      output: { codeSplitting: false },
    },
  },
})
