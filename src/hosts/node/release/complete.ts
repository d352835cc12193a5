import { z } from 'zod'

const Target = z.object({
  target: z.array(z.object({ target: z.string(), arch: z.array(z.string()) })),
})
/** What of electron-builder.yml says which files a release has. */
export const Builder = z.object({
  artifactName: z.string(),
  linux: Target,
  mac: Target,
  win: Target,
})

/** What the updater of each system asks for first. On Linux there is one for each processor. */
const descriptions = ['latest.yml', 'latest-mac.yml', 'latest-linux.yml', 'latest-linux-arm64.yml']

/**
 * The names of all files without which a release is half of one: those for people, and what the updaters ask for. `told` are those that some
 * description for the updaters must name.
 */
export function filesOfRelease(
  builder: z.infer<typeof Builder>,
  { name, version }: { readonly name: string; readonly version: string },
): { all: string[]; told: string[] } {
  const told: string[] = []
  const forPeople: string[] = []
  for (const os of ['linux', 'mac', 'win'] as const) {
    for (const { target, arch } of builder[os].target) {
      for (const one of arch) {
        const ext = target === 'nsis' ? 'exe' : target
        const values: Record<string, string> = { name, version, os, ext, arch: archIn(ext, one) }
        const file = builder.artifactName.replaceAll(/\$\{(\w+)\}/g, (_all, key: string) => {
          const value = values[key]
          if (value === undefined) throw new Error(`What is \${${key}} in the names of files?`)
          return value
        })
        // An image for people alone: updates take the zip.
        if (target === 'dmg') forPeople.push(file)
        else told.push(file)
      }
    }
  }
  return { all: [...told, ...forPeople, ...descriptions], told }
}

/** Linux has names of its own for a processor, one for each kind of package, and the packager follows. */
function archIn(ext: string, arch: string): string {
  if (arch !== 'x64') return arch
  if (ext === 'AppImage') return 'x86_64'
  return ext === 'deb' ? 'amd64' : arch
}
