// A million deliveries exported and imported by the built command line, beside copying the same bytes, and a tenth of them.
import path from 'node:path'
import { runnerImport } from 'vite'
import { root } from './processes.ts'

// The stores are built by the engine's own code, whose catalogue is collected as a bundler does it.
await runnerImport(path.join(import.meta.dirname, 'log/run.ts'), {
  root,
  configFile: false,
  logLevel: 'error',
})
