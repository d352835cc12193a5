import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

// The working directory of the build, since the configuration that imports this is moved before it runs.
const root = process.cwd()
/** The last build step makes the notices from the lists of bundled packages. */
export const packageLists = path.join(root, 'out/.packages')

/** Of the output of the build `name`. The second plugin is for its workers, which are built separately. */
export function collectPackages(name: string): { own: Plugin; workers: () => Plugin[] } {
  const folders = new Set<string>()
  const addPackage = (id: string): void => {
    const folder = packageFolderOf(id)
    if (folder !== null) folders.add(folder)
  }
  const plugin: Plugin = {
    name: 'collect-packages',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') output.moduleIds.forEach(addPackage)
        else output.originalFileNames.map((file) => path.resolve(root, file)).forEach(addPackage)
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

/** Relative to the root; null for our own code. Code that a builder adds belongs to the builder. */
export function packageFolderOf(id: string): string | null {
  const builder = /^\0(vite|rolldown)\//.exec(id)?.[1]
  if (builder !== undefined) return `${modules}${builder}`
  const file = path.relative(root, id.replace(/^\0/, '').replace(/\?.*$/, '')).replaceAll('\\', '/')
  const first = file.indexOf(modules)
  // The innermost, since packages may be nested.
  const end = file.lastIndexOf(modules) + modules.length
  const name = /^(@[^/]+\/)?[^/]+/.exec(file.slice(end))
  return first === -1 || name === null ? null : `${file.slice(first, end)}${name[0]}`
}
