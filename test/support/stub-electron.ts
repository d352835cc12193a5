import { appendFileSync, chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Marks the fuses in Electron's binary, followed by version, count and one digit for each fuse. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const padding = '\0'.repeat(200)
const fuses = `${padding}${sentinel}\x01\x09${'1'.repeat(9)}${padding}`

const root = path.resolve(import.meta.dirname, '../..')
/** A Windows executable with version information, which the packager rewrites. It is never started. */
const someProgram = path.join(root, 'node_modules/electron-winstaller/vendor/rcedit.exe')

/**
 * A minimal Electron distribution for the packager on all three systems. The packager copies files, flips fuses, and writes names, links and the
 * archive's hash into the app's metadata.
 */
export function stubElectron(folder: string): void {
  const write = (file: string, content: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), content, 'latin1')
  }
  mkdirSync(path.join(folder, 'resources'), { recursive: true })
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'version']) {
    write(name, '')
  }
  write('electron', `\x7FELF${fuses}`)
  chmodSync(path.join(folder, 'electron'), 0o755)
  copyFileSync(someProgram, path.join(folder, 'electron.exe'))
  appendFileSync(path.join(folder, 'electron.exe'), fuses, 'latin1')

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
