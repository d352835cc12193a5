// Entry of `out/main/cli.js`. The version needs none of the command modules, and the compile cache must be set up before they load.
import { fileURLToPath } from 'node:url'
import { useCompileCache } from './compile-cache.mjs'
import { version } from './version.ts'

const [word = '', ...others] = process.argv.slice(2)
if (others.length === 0 && ['--version', '-V', 'version'].includes(word)) {
  process.stdout.write(`tabscope ${version()}\n`)
} else {
  useCompileCache(fileURLToPath(new URL('../..', import.meta.url)))
  await import('./cli.ts')
}
