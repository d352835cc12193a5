import type { Plugin } from 'vite'

/**
 * Names what only the command line loads after it, `cli-…`: the packaged app leaves it out, being no Node that could run it. `cli` is the name
 * of the command line's entry; all others are the desktop's, threads among them.
 */
export function desktopChunks(cli: string): {
  plugin: Plugin
  chunkFileNames: (chunk: { moduleIds: string[] }) => string
} {
  const desktop = new Set<string>()
  return {
    plugin: {
      name: 'desktop-chunks',
      buildEnd() {
        const follow = (id: string): void => {
          if (desktop.has(id)) return
          desktop.add(id)
          const module = this.getModuleInfo(id)
          for (const next of module?.importedIds ?? []) follow(next)
          for (const next of module?.dynamicallyImportedIds ?? []) follow(next)
        }
        for (const id of this.getModuleIds()) {
          if (this.getModuleInfo(id)?.isEntry === true && !id.endsWith(`/${cli}.ts`)) follow(id)
        }
      },
    },
    chunkFileNames: ({ moduleIds }) =>
      moduleIds.length > 0 && !moduleIds.some((id) => desktop.has(id))
        ? `${cli}-[name]-[hash].js`
        : '[name]-[hash].js',
  }
}
