// `npm run docs`: writes the reference and the JSON Schema of the command line.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runnerImport } from 'vite'

const root = path.resolve(import.meta.dirname, '../../..')
// Vite, because commands are found by a glob.
const { module } = await runnerImport(path.join(import.meta.dirname, 'files.ts'), {
  root,
  configFile: false,
  logLevel: 'error',
})
for (const [name, text] of Object.entries(module.generatedFiles)) {
  const file = path.join(root, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
