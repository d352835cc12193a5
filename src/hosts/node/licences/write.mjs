// The last step of a build: the licences of all that is in `out/`, as the file that both hosts serve with the interface.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beside, noticesText, readPackage } from './notices.mjs'

const root = path.resolve(import.meta.dirname, '../../../..')
const taken = path.join(root, 'out/.packages')
const folders = new Set(beside)
for (const name of readdirSync(taken)) {
  for (const folder of JSON.parse(readFileSync(path.join(taken, name), 'utf8'))) folders.add(folder)
}
const packages = []
for (const folder of folders) {
  try {
    packages.push(readPackage(path.join(root, folder)))
  } catch (error) {
    // A test refuses it: who tries a package out is not kept from building.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  }
}
const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
writeFileSync(
  path.join(root, 'out/renderer/licences.txt'),
  noticesText(`${name} ${version}`, packages),
)
