import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

// The folder that the build runs in: the file of settings that imports this is moved about before it runs.
const root = process.cwd()
/** Where each build leaves the names of what it took in; the last step of the build makes the notices of them. */
export const packageLists = path.join(root, 'out/.packages')

/**
 * Notes which packages' code, styles and fonts are in what a build writes. `name` is the build's. The second plugin is for its workers,
 * which are built apart.
 */
export function collectPackages(name: string): { own: Plugin; workers: () => Plugin[] } {
  const folders = new Set<string>()
  const take = (id: string): void => {
    const folder = packageFolderOf(id)
    if (folder !== null) folders.add(folder)
  }
  const plugin: Plugin = {
    name: 'collect-packages',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') output.moduleIds.forEach(take)
        else output.originalFileNames.map((file) => path.resolve(root, file)).forEach(take)
      }
    },
  }
  return {
    own: {
      ...plugin,
      writeBundle() {
        mkdirSync(packageLists, { recursive: true })
        writeFileSync(path.join(packageLists, `${name}.json`), JSON.stringify([...folders].sort()))
      },
    },
    workers: () => [plugin],
  }
}

const modules = 'node_modules/'

/** The folder of the package that a module belongs to, from the project's root; null for our own. What a builder adds is the builder's. */
export function packageFolderOf(id: string): string | null {
  const builder = /^\0(vite|rolldown)\//.exec(id)?.[1]
  if (builder !== undefined) return `${modules}${builder}`
  const file = path.relative(root, id.replace(/^\0/, '').replace(/\?.*$/, '')).replaceAll('\\', '/')
  const first = file.indexOf(modules)
  // The innermost: a package may have packages of its own.
  const end = file.lastIndexOf(modules) + modules.length
  const name = /^(@[^/]+\/)?[^/]+/.exec(file.slice(end))
  return first === -1 || name === null ? null : `${file.slice(first, end)}${name[0]}`
}
