// After `npm install` in a checkout: removes the C headers that the package `node` brings along (68 MB), since no add-on is compiled here.
// Runs on any version of Node, like the launcher.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

const packages = path.resolve(import.meta.dirname, '../../node_modules/node/node_modules')
for (const name of existsSync(packages) ? readdirSync(packages) : []) {
  rmSync(path.join(packages, name, 'include'), { recursive: true, force: true })
}
