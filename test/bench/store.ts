// A million deliveries: how long the list, filters, free text and the rest take in the built product, beside the same with ten thousand.
import path from 'node:path'
import { runnerImport } from 'vite'
import { root } from './processes.ts'

// The stores are built by the engine's own code, whose catalogue is collected as a bundler does it.
await runnerImport(path.join(import.meta.dirname, 'store/run.ts'), {
  root,
  configFile: false,
  logLevel: 'error',
})
