// Measures list, filters, text search and other calls with a million deliveries in the built product, compared with ten thousand.
import path from 'node:path'
import { runnerImport } from 'vite'
import { root } from './processes.ts'

// The stores are built with the engine's code, which needs a bundler to collect the catalogue.
await runnerImport(path.join(import.meta.dirname, 'store/run.ts'), {
  root,
  configFile: false,
  logLevel: 'error',
})
