import type { Plugin } from 'vite'

/** What of a chunk decides its name. */
interface NamedChunk {
  readonly moduleIds: readonly string[]
  readonly facadeModuleId: string | null
}

/**
 * Names the chunks that only the command line loads `cli-…`: the packaged app cannot run the command line and leaves them out. A chunk gets
 * that name only when it is proven to be the command line's alone; every other one is shipped.
 *
 * What nearly every command imports before it runs comes in two chunks, the command line's own and the one that it shares with the desktop:
 * each file more that Node has to find, read and link takes a part of a millisecond.
 *
 * @param cli the name of the command line's entry; all other entries are the desktop's
 * @param entry how the path of its module ends. It, and what it imports statically, is in neither of the two chunks.
 * @param main the same for the module that runs a command, which imports chunks that import the two: it cannot be in one of them
 * @param started the same for what nearly every command imports dynamically; static imports come with it
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
  /** What `main` and `started` import statically. */
  const start = new Set<string>()
  const entered = new Set<string>()
  const desktop = new Set<string>()
  /** Modules that the desktop imports dynamically: each may get a chunk without code, which only names its exports. */
  const desktopDynamic = new Set<string>()
  /** Modules that the bundler knows by files of ours or of a package. */
  const known = new Set<string>()

  const isLeftOut = (file: string): boolean => file === `${cli}.js` || file.startsWith(`${cli}-`)

  function isCliOnly({ moduleIds, facadeModuleId }: NamedChunk): boolean {
    // The bundler's own modules (`\0rolldown/runtime.js`) belong to whoever imports them, which is no proof for either.
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
      /** A shipped file that imports one that is left out ends with ERR_MODULE_NOT_FOUND in the packaged app only: the build fails instead. */
      generateBundle(_options, bundle) {
        for (const [file, chunk] of Object.entries(bundle)) {
          if (chunk.type !== 'chunk' || isLeftOut(file)) continue
          const lost = [...chunk.imports, ...chunk.dynamicImports].find(isLeftOut)
          if (lost !== undefined) {
            this.error(`${file} is packaged and imports ${lost}, which is not.`)
          }
        }
      },
    },
    groups: [
      // Before the others, which take what they import along.
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
