import type { Plugin } from 'vite'

/** The parts of a chunk that determine its name. */
interface NamedChunk {
  readonly moduleIds: readonly string[]
  readonly facadeModuleId: string | null
}

/**
 * Names chunks that only the command line loads `cli-…`: the packaged app cannot run the command line and leaves them out. A chunk gets
 * that name only if it is certain that only the command line uses it; every other chunk is shipped.
 *
 * The modules that nearly every command imports at its start are in two chunks, one of the command line and one shared with the desktop app:
 * each additional file that Node has to find, read and link takes a fraction of a millisecond.
 *
 * @param cli name of the command line's entry; all other entries belong to the desktop app
 * @param entry end of the path of its module. The module and its static imports are in neither of the two chunks.
 * @param main end of the path of the module that runs a command. It imports chunks that import the two, so it cannot be in either.
 * @param started ends of the paths of modules that nearly every command imports dynamically, with their static imports
 */
export function desktopChunks(
  cli: string,
  {
    entry = `/${cli}.ts`,
    main = entry,
    started = [],
  }: { entry?: string; main?: string; started?: readonly string[] } = {},
): {
  plugin: Plugin
  chunkFileNames: (chunk: NamedChunk) => string
  /** For `codeSplitting`. */
  groups: { name: (id: string) => string | null; priority: number }[]
} {
  /** Static imports of `main` and `started`. */
  const start = new Set<string>()
  const entered = new Set<string>()
  const desktop = new Set<string>()
  /** Modules that the desktop app imports dynamically: each may get a chunk that only re-exports. */
  const desktopDynamic = new Set<string>()
  /** Modules that come from a file of the project or of a package. */
  const known = new Set<string>()

  const isLeftOut = (file: string): boolean => file === `${cli}.js` || file.startsWith(`${cli}-`)

  function isCliOnly({ moduleIds, facadeModuleId }: NamedChunk): boolean {
    // The bundler's own modules (`\0rolldown/runtime.js`) can belong to either side.
    const own = moduleIds.filter((id) => !id.startsWith('\0'))
    if (own.length > 0) return own.every((id) => known.has(id) && !desktop.has(id))
    if (moduleIds.length > 0 || facadeModuleId === null) return false
    return known.has(facadeModuleId) && !desktopDynamic.has(facadeModuleId)
  }

  return {
    plugin: {
      name: 'desktop-chunks',
      buildEnd() {
        const follow = (id: string): void => {
          if (desktop.has(id)) return
          desktop.add(id)
          const module = this.getModuleInfo(id)
          for (const next of module?.importedIds ?? []) follow(next)
          for (const next of module?.dynamicallyImportedIds ?? []) {
            desktopDynamic.add(next)
            follow(next)
          }
        }
        const followStatic = (id: string, into: Set<string>): void => {
          if (into.has(id)) return
          into.add(id)
          for (const next of this.getModuleInfo(id)?.importedIds ?? []) followStatic(next, into)
        }
        for (const id of this.getModuleIds()) {
          known.add(id)
          if (id.endsWith(entry)) followStatic(id, entered)
          else if (this.getModuleInfo(id)?.isEntry === true) follow(id)
          if ([main, ...started].some((end) => id.endsWith(end))) followStatic(id, start)
        }
      },
      /** A shipped file that imports a left-out file would fail with ERR_MODULE_NOT_FOUND only in the packaged app, so the build fails instead. */
      generateBundle(_options, bundle) {
        for (const [file, chunk] of Object.entries(bundle)) {
          if (chunk.type !== 'chunk' || isLeftOut(file)) continue
          const missing = [...chunk.imports, ...chunk.dynamicImports].find(isLeftOut)
          if (missing !== undefined) {
            this.error(`${file} is packaged and imports ${missing}, which is not.`)
          }
        }
      },
    },
    groups: [
      // Before the other groups, which include their imports.
      { name: (id) => (entered.has(id) && !id.endsWith(entry) ? 'entry' : null), priority: 1 },
      {
        name: (id) => {
          if (!start.has(id) || id.endsWith(main) || id.startsWith('\0')) return null
          return desktop.has(id) ? 'shared-start' : 'start'
        },
        priority: 0,
      },
    ],
    chunkFileNames: (chunk) => (isCliOnly(chunk) ? `${cli}-[name]-[hash].js` : '[name]-[hash].js'),
  }
}
