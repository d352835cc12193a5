// The last step of a build: the licences of all that is in `out/`, as the file that both hosts serve with the interface.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beside, noticesText, readPackage } from './notices.mjs'

const root = path.resolve(import.meta.dirname, '../../../..')
const taken = path.join(root, 'out/.packages')
const folders = new Set(beside)
for (const name of readdirSync(taken)) {
  for (const folder of JSON.parse(readFileSync(path.join(taken, name), 'utf8'))) folders.add(folder)
}
const packages = [...folders].map((folder) => readPackage(path.join(root, folder)))
const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const interfaceFolder = path.join(root, 'out/renderer')
if (!existsSync(interfaceFolder)) throw new Error('The interface is not built.')
writeFileSync(
  path.join(interfaceFolder, 'licences.txt'),
  noticesText(`${name} ${version}`, packages),
)
