// Exports and imports a million deliveries with the built command line, compared with copying the same bytes, and with a tenth of the deliveries.
import path from 'node:path'
import { runnerImport } from 'vite'
import { root } from './processes.ts'

// The stores are built with the engine's code, which needs a bundler to collect the catalogue.
await runnerImport(path.join(import.meta.dirname, 'log/run.ts'), {
  root,
  configFile: false,
  logLevel: 'error',
})
