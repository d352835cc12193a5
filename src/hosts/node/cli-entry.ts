// What `out/main/cli.js` runs. The version needs nothing of what commands load, and what compiled code is kept must be known before that.
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
