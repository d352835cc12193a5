import { z } from 'zod'

const Target = z.object({
  target: z.array(z.object({ target: z.string(), arch: z.array(z.string()) })),
})
export const Builder = z.object({
  artifactName: z.string(),
  linux: Target,
  mac: Target,
  win: Target,
})

/** The updater of each system reads its description first. Linux has one per processor. */
const descriptions = ['latest.yml', 'latest-mac.yml', 'latest-linux.yml', 'latest-linux-arm64.yml']

/** For downloads and for updaters. `updates`: those that a description for the updaters must list. */
export function filesOfRelease(
  builder: z.infer<typeof Builder>,
  { name, version }: { readonly name: string; readonly version: string },
): { all: string[]; updates: string[] } {
  const updates: string[] = []
  const forPeople: string[] = []
  for (const os of ['linux', 'mac', 'win'] as const) {
    for (const { target, arch } of builder[os].target) {
      for (const processor of arch) {
        const ext = target === 'nsis' ? 'exe' : target
        const values: Record<string, string> = {
          name,
          version,
          os,
          ext,
          arch: archIn(ext, processor),
        }
        const file = builder.artifactName.replaceAll(/\$\{(\w+)\}/g, (_all, key: string) => {
          const value = values[key]
          if (value === undefined)
            throw new Error(`Unknown placeholder \${${key}} in artifactName.`)
          return value
        })
        // Only for downloads: updates use the zip.
        if (target === 'dmg') forPeople.push(file)
        else updates.push(file)
      }
    }
  }
  return { all: [...updates, ...forPeople, ...descriptions], updates }
}

/** On Linux they depend on the package format. */
function archIn(ext: string, arch: string): string {
  if (arch !== 'x64') return arch
  if (ext === 'AppImage') return 'x86_64'
  return ext === 'deb' ? 'amd64' : arch
}
