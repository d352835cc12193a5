import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** Marks the fuses in Electron's binary, followed by version, count and one digit for each fuse. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const padding = '\0'.repeat(200)
const fuses = `${padding}${sentinel}\x01\x09${'1'.repeat(9)}${padding}`

const root = path.resolve(import.meta.dirname, '../..')
/** What is used of the packager's library for Windows executables. */
interface Resedit {
  readonly NtExecutable: { from(bytes: Uint8Array): Executable }
  readonly NtExecutableResource: { from(executable: Executable): Resources }
  readonly Resource: { readonly VersionInfo: { createEmpty(): VersionInfo } }
}
interface Executable {
  generate(): ArrayBuffer
}
interface Resources {
  readonly entries: unknown[]
  outputResource(executable: Executable): void
}
interface VersionInfo {
  setStringValues(
    language: { lang: number; codepage: number },
    values: Record<string, string>,
  ): void
  outputToResourceEntries(entries: unknown[]): void
}

const packager = createRequire(path.join(root, 'node_modules/app-builder-lib/package.json'))

/** A Windows executable with version information, which the packager rewrites. It is never started: it is SQLite's library. */
function windowsProgram(): Buffer {
  const { NtExecutable, NtExecutableResource, Resource }: Resedit = packager('resedit')
  const library = path.join(root, 'node_modules/better-sqlite3/prebuilds/win32-x64.node')
  const executable = NtExecutable.from(readFileSync(library))
  const resources = NtExecutableResource.from(executable)
  const info = Resource.VersionInfo.createEmpty()
  info.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' })
  info.outputToResourceEntries(resources.entries)
  resources.outputResource(executable)
  return Buffer.from(executable.generate())
}

/** A minimal Electron for the packager on all systems: what it copies, flips and rewrites. */
export function stubElectron(folder: string): void {
  const write = (file: string, content: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), content, 'latin1')
  }
  mkdirSync(path.join(folder, 'resources'), { recursive: true })
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'version'])
    write(name, '')
  write('electron', `\x7FELF${fuses}`)
  chmodSync(path.join(folder, 'electron'), 0o755)
  write('electron.exe', windowsProgram().toString('latin1') + fuses)

  const app = 'Electron.app/Contents'
  write(`${app}/Info.plist`, plist('Electron', 'com.github.Electron'))
  write(`${app}/MacOS/Electron`, '')
  write(`${app}/Resources/electron.icns`, '')
  write(
    `${app}/Frameworks/Electron Framework.framework/Electron Framework`,
    `\xCF\xFA\xED\xFE${fuses}`,
  )
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    const helper = `Electron Helper${kind}`
    write(
      `${app}/Frameworks/${helper}.app/Contents/Info.plist`,
      plist(helper, 'com.github.Electron.helper'),
    )
    write(`${app}/Frameworks/${helper}.app/Contents/MacOS/${helper}`, '')
  }
}

function plist(executable: string, identifier: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>CFBundleExecutable</key><string>${executable}</string>
<key>CFBundleIdentifier</key><string>${identifier}</string>
</dict></plist>`
}
