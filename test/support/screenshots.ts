// `npm run screenshots` takes the picture of the README again. `npm run screenshots -- FOLDER` writes a picture of every state of the interface into
// the folder, in both themes, to compare before and after a change.
import path from 'node:path'
import { runnerImport } from 'vite'
import type * as pictures from './states/pictures.ts'

// The engine and the catalogue collect files by globs, which only Vite resolves. The import ends when all pictures are taken.
const file = path.join(import.meta.dirname, 'states/pictures.ts')
const { module } = await runnerImport<typeof pictures>(file, { configFile: false })
process.stdout.write(`${module.taken.join('\n')}\n`)
