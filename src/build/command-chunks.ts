import type { Plugin } from 'vite'

interface Options {
  /** End of the path of the command line's entry. It and its static imports are in neither of the two chunks. */
  readonly entry: string
  /** The module that runs a command. It imports chunks that import the two, so it cannot be in either. */
  readonly main: string
  /** Modules that nearly every command imports dynamically, with their static imports. */
  readonly started: readonly string[]
}

/**
 * Modules that nearly every command imports are in two chunks, one of them shared with the desktop app: each additional file costs a fraction of a
 * millisecond. The second value is for `codeSplitting`.
 */
export function commandChunks({ entry, main, started }: Options): {
  plugin: Plugin
  groups: { name: (id: string) => string | null; priority: number }[]
} {
  const atStart = [main, ...started]
  const ofEntry = new Set<string>()
  const ofStart = new Set<string>()
  const ofDesktop = new Set<string>()
  return {
    plugin: {
      name: 'command-chunks',
      buildEnd() {
        const follow = (id: string, into: Set<string>, dynamically: boolean): void => {
          if (into.has(id)) return
          into.add(id)
          const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {}
          for (const next of importedIds) follow(next, into, dynamically)
          if (dynamically) for (const next of dynamicallyImportedIds) follow(next, into, true)
        }
        for (const id of this.getModuleIds()) {
          if (id.endsWith(entry)) follow(id, ofEntry, false)
          else if (this.getModuleInfo(id)?.isEntry === true) follow(id, ofDesktop, true)
          if (atStart.some((end) => id.endsWith(end))) follow(id, ofStart, false)
        }
      },
    },
    groups: [
      // Before the other group, which includes its imports.
      { name: (id) => (ofEntry.has(id) && !id.endsWith(entry) ? 'entry' : null), priority: 1 },
      {
        name: (id) => {
          if (!ofStart.has(id) || id.endsWith(main) || id.startsWith('\0')) return null
          return ofDesktop.has(id) ? 'shared-start' : 'start'
        },
        priority: 0,
      },
    ],
  }
}
