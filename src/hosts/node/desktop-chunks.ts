import type { Plugin } from 'vite'

interface NamedChunk {
  readonly moduleIds: readonly string[]
  readonly facadeModuleId: string | null
}

interface Options {
  /** End of the path of the entry's module. It and its static imports are in neither of the two chunks. */
  readonly entry?: string
  /** The module that runs a command. It imports chunks that import the two, so it cannot be in either. */
  readonly main?: string
  /** Modules that nearly every command imports dynamically, with their static imports. */
  readonly started?: readonly string[]
}

/**
 * The packaged app leaves out chunks named `cli-…`, so a chunk gets that name only if certainly nothing but the command line uses it. Modules that nearly
 * every command imports are in two chunks, one of them shared with the desktop app: each additional file costs a fraction of a millisecond.
 *
 * @param cli name of the command line's entry; all other entries belong to the desktop app
 */
export function desktopChunks(
  cli: string,
  options: Options = {},
): {
  plugin: Plugin
  chunkFileNames: (chunk: NamedChunk) => string
  /** For `codeSplitting`. */
  groups: { name: (id: string) => string | null; priority: number }[]
} {
  const { entry = `/${cli}.ts`, main = entry, started = [] } = options
  const modules = new Modules(entry, [main, ...started])
  const isLeftOut = (file: string): boolean => file === `${cli}.js` || file.startsWith(`${cli}-`)
  return {
    plugin: {
      name: 'desktop-chunks',
      buildEnd() {
        modules.read([...this.getModuleIds()], (id) => this.getModuleInfo(id))
      },
      /** A shipped file that imports a left-out file would fail only in the packaged app, so the build fails instead. */
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
      { name: (id) => (modules.isWithEntry(id) ? 'entry' : null), priority: 1 },
      {
        name: (id) => {
          if (!modules.isAtStart(id) || id.endsWith(main) || id.startsWith('\0')) return null
          return modules.isOfDesktop(id) ? 'shared-start' : 'start'
        },
        priority: 0,
      },
    ],
    chunkFileNames: (chunk) =>
      modules.isCliOnly(chunk) ? `${cli}-[name]-[hash].js` : '[name]-[hash].js',
  }
}

interface ModuleInfo {
  readonly isEntry: boolean
  readonly importedIds: readonly string[]
  readonly dynamicallyImportedIds: readonly string[]
}

/** Which belong to the desktop app, and which ones a command loads at its start. */
class Modules {
  /** From a file of the project or of a package. */
  readonly #known = new Set<string>()
  readonly #entered = new Set<string>()
  readonly #start = new Set<string>()
  readonly #desktop = new Set<string>()
  /** Each may get a chunk that only re-exports. */
  readonly #desktopDynamic = new Set<string>()
  readonly #entry: string
  readonly #started: readonly string[]

  constructor(entry: string, started: readonly string[]) {
    this.#entry = entry
    this.#started = started
  }

  read(ids: readonly string[], infoOf: (id: string) => ModuleInfo | null): void {
    const followStatic = (id: string, into: Set<string>): void => {
      if (into.has(id)) return
      into.add(id)
      for (const next of infoOf(id)?.importedIds ?? []) followStatic(next, into)
    }
    const follow = (id: string): void => {
      if (this.#desktop.has(id)) return
      this.#desktop.add(id)
      const { importedIds = [], dynamicallyImportedIds = [] } = infoOf(id) ?? {}
      for (const next of importedIds) follow(next)
      for (const next of dynamicallyImportedIds) {
        this.#desktopDynamic.add(next)
        follow(next)
      }
    }
    for (const id of ids) {
      this.#known.add(id)
      if (id.endsWith(this.#entry)) followStatic(id, this.#entered)
      else if (infoOf(id)?.isEntry === true) follow(id)
      if (this.#started.some((end) => id.endsWith(end))) followStatic(id, this.#start)
    }
  }

  isWithEntry(id: string): boolean {
    return this.#entered.has(id) && !id.endsWith(this.#entry)
  }

  isAtStart(id: string): boolean {
    return this.#start.has(id)
  }

  isOfDesktop(id: string): boolean {
    return this.#desktop.has(id)
  }

  isCliOnly({ moduleIds, facadeModuleId }: NamedChunk): boolean {
    // The bundler's own modules (`\0rolldown/runtime.js`) can belong to either side.
    const own = moduleIds.filter((id) => !id.startsWith('\0'))
    if (own.length > 0) return own.every((id) => this.#known.has(id) && !this.#desktop.has(id))
    if (moduleIds.length > 0 || facadeModuleId === null) return false
    return this.#known.has(facadeModuleId) && !this.#desktopDynamic.has(facadeModuleId)
  }
}
