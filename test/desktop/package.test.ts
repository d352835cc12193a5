import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, tempDir } from './harness.ts'

/** Marks the fuses in Electron's binary; behind it version, count and one digit for each. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** What the packager needs of Electron, without Electron: it only copies files and flips the fuses. */
function stubElectron(folder: string): void {
  mkdirSync(path.join(folder, 'resources'), { recursive: true })
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'version']) {
    writeFileSync(path.join(folder, name), '')
  }
  const padding = '\0'.repeat(200)
  writeFileSync(
    path.join(folder, 'electron'),
    `\x7FELF${padding}${SENTINEL}\x01\x09${'1'.repeat(9)}${padding}`,
    'latin1',
  )
  chmodSync(path.join(folder, 'electron'), 0o755)
}

function node(script: string, ...args: string[]): string {
  return execFileSync(process.execPath, [path.join(root, 'node_modules', script), ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

describe.runIf(process.platform === 'linux')('the packaged app', () => {
  it('holds the build and one native module, and has its fuses set', () => {
    using folder = tempDir()
    const stub = path.join(folder.path, 'electron')
    const dist = path.join(folder.path, 'dist')
    stubElectron(stub)
    node(
      'electron-builder/cli.js',
      '--linux',
      'dir',
      `-c.electronDist=${stub}`,
      `-c.directories.output=${dist}`,
      '--publish',
      'never',
    )
    const unpacked = path.join(dist, 'linux-unpacked')

    const files = node('@electron/asar/bin/asar.js', 'list', `${unpacked}/resources/app.asar`)
      .trim()
      .split('\n')
    expect(files).toContain('/out/main/electron-main.js')
    expect(files).toContain('/out/preload/preload.cjs')
    expect(files).toContain('/out/renderer/index.html')
    expect(files.filter((file) => file.endsWith('.node'))).toEqual([
      `/node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
    ])
    const allowed = /^\/(package\.json$|out(\/|$)|node_modules$|node_modules\/better-sqlite3(\/|$))/
    expect(files.filter((file) => !allowed.test(file))).toEqual([])
    expect(files.filter((file) => /\/(src|deps|test)\/|\.map$|\.stamp/.test(file))).toEqual([])

    const fuses = node('@electron/fuses/dist/bin.js', 'read', '--app', `${unpacked}/tabscope`)
    for (const line of [
      'RunAsNode is Disabled',
      'EnableCookieEncryption is Enabled',
      'EnableNodeOptionsEnvironmentVariable is Disabled',
      'EnableNodeCliInspectArguments is Disabled',
      'EnableEmbeddedAsarIntegrityValidation is Enabled',
      'OnlyLoadAppFromAsar is Enabled',
      'GrantFileProtocolExtraPrivileges is Disabled',
    ]) {
      expect(fuses).toContain(line)
    }
  })
})
