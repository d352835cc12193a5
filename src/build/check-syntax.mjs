// Parses every program in `out/`: a bundler can write one that no engine accepts, such as with a name that is declared twice.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Script, SourceTextModule } from 'node:vm'

const root = path.resolve(import.meta.dirname, '../..')
const programs = globSync('out/*/**/*.{js,cjs}', { cwd: root }).map((name) => {
  const code = readFileSync(path.join(root, name), 'utf8')
  return name.endsWith('.cjs')
    ? new Script(code, { filename: name })
    : new SourceTextModule(code, { identifier: name })
})
if (programs.length === 0) throw new Error('There is no program in out/.')
