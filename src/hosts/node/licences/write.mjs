// The last step of a build: writes the licences of everything in `out/` to the file that both hosts serve.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { copied, noticesText, readPackage, unbundled } from './notices.mjs'

const root = path.resolve(import.meta.dirname, '../../../..')
const lists = path.join(root, 'out/.packages')
const folders = new Set(unbundled)
for (const name of readdirSync(lists)) {
  for (const folder of JSON.parse(readFileSync(path.join(lists, name), 'utf8'))) folders.add(folder)
}
const packages = [...copied]
for (const folder of folders) {
  try {
    packages.push(readPackage(path.join(root, folder)))
  } catch (error) {
    // Only a warning, so that a package can be tried out. A test fails instead.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  }
}
const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
writeFileSync(
  path.join(root, 'out/renderer/licences.txt'),
  noticesText(`${name} ${version}`, packages),
)
