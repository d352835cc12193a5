import { getRawHeader, listPackage, extractFile } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { Arch, archFromString, build, Platform } from 'electron-builder'
import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { stubElectron } from '../support/stub-electron.ts'
import { root, tempDir } from './harness.ts'

const folder = tempDir()
const dist = path.join(folder.path, 'dist')

/** What each system's package is made of, with the name that its native module has there. */
const packages = [
  {
    system: 'Linux',
    unpacked: process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`,
    resources: 'resources',
    native: `linux-${process.arch}`,
    program: 'tabscope',
    tray: 'linux',
  },
  {
    system: 'macOS',
    unpacked: 'mac-arm64',
    resources: 'Tabscope.app/Contents/Resources',
    native: 'darwin-arm64',
    program: 'Tabscope.app',
    tray: 'mac',
  },
  {
    system: 'Windows',
    unpacked: 'win-arm64-unpacked',
    resources: 'resources',
    native: 'win32-arm64',
    program: 'Tabscope.exe',
    tray: 'windows',
  },
] as const

/** The entry for the menu, and which files are ours where that is a file of its own. */
function toldBy(options: unknown): string {
  const { desktop } = z.object({ desktop: z.string() }).catch({ desktop: '' }).parse(options)
  if (desktop !== '') return desktop
  const [args, file] = z.tuple([z.array(z.string()), z.string()]).parse(options)
  const types = args.find((arg) => arg.endsWith('=/usr/share/mime/packages/tabscope.xml'))
  return [file, types?.split('=')[0] ?? ''].map((name) => readFileSync(name, 'utf8')).join('\n')
}

describe.runIf(process.platform === 'linux')('the packaged app', () => {
  /** What the desktop is told by AppImage and deb; to make those themselves, tools would have to be fetched. */
  const told: string[] = []

  beforeAll(async () => {
    const stub = path.join(folder.path, 'electron')
    stubElectron(stub)
    await build({
      projectDir: root,
      publish: 'never',
      // One run for all systems: most of its time is the start.
      targets: new Map([
        ...Platform.LINUX.createTarget(['AppImage', 'deb'], archFromString(process.arch)),
        ...Platform.MAC.createTarget(['dir'], Arch.arm64),
        ...Platform.WINDOWS.createTarget(['dir'], Arch.arm64),
      ]),
      config: { electronDist: stub, directories: { output: dist } },
      effectiveOptionComputed: (options) => {
        told.push(toldBy(options))
        return Promise.resolve(true)
      },
    })
  })
  afterAll(() => folder[Symbol.dispose]())

  it.each(packages)('holds what runs and no more on $system', ({ unpacked, resources, ...own }) => {
    const archive = path.join(dist, unpacked, resources, 'app.asar')
    const files = listPackage(archive, { isPack: false })
    const below = (start: string): string[] => files.filter((file) => file.startsWith(start))
    expect(below('/out/')).toEqual(
      expect.arrayContaining([
        '/out/main/electron-main.js',
        '/out/main/engine-process.js',
        '/out/preload/preload.cjs',
        '/out/renderer/index.html',
        '/out/renderer/licences.txt',
        '/out/viewer/viewer.html',
      ]),
    )
    expect(files.filter((file) => file.endsWith('.node'))).toEqual([
      `/node_modules/better-sqlite3/prebuilds/${own.native}.node`,
    ])
    expect(files).toContain('/node_modules/better-sqlite3/LICENSE')
    const made = globSync('*', { cwd: path.join(root, 'resources/tray', own.tray) })
    expect(below('/resources/').filter((file) => /\.\w+$/.test(file))).toEqual(
      made.map((file) => `/resources/tray/${own.tray}/${file}`).sort(),
    )
    const allowed =
      /^\/(package\.json$|out(\/(main|preload|renderer|viewer)(\/|$)|$)|node_modules(\/better-sqlite3(\/|$)|$)|resources(\/tray(\/|$)|$))/
    expect(files.filter((file) => !allowed.test(file))).toEqual([])
    // No sources, no tests, no maps, nothing of the build, and no command line: the app is no Node that could run it.
    expect(
      files.filter((file) => /\/(src|deps|test)\/|\.(map|tsx?)$|\/\.|\/cli(\.|-)/.test(file)),
    ).toEqual([])

    const manifest: unknown = JSON.parse(extractFile(archive, 'package.json').toString())
    expect(manifest).toMatchObject({ name: 'tabscope', main: 'out/main/electron-main.js' })
    expect(manifest).not.toHaveProperty('scripts')
    expect(manifest).not.toHaveProperty('devDependencies')
  })

  it('takes along no script that nothing loads', () => {
    const out = path.join(root, 'out/main')
    const reached = new Set<string>()
    const follow = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      const code = readFileSync(path.join(out, file), 'utf8')
      for (const [, name = ''] of code.matchAll(/["']\.{1,2}\/([\w/.@-]+\.js)["']/g)) {
        const found = [path.posix.join(path.posix.dirname(file), name), name, `chunks/${name}`]
        for (const one of found) {
          if (globSync(one, { cwd: out }).length > 0) follow(one)
        }
      }
    }
    follow('electron-main.js')
    follow('engine-process.js')
    const archive = path.join(dist, packages[0].unpacked, 'resources/app.asar')
    const packed = listPackage(archive, { isPack: false })
      .filter((file) => /^\/out\/main\/.*\.js$/.test(file))
      .map((file) => file.slice('/out/main/'.length))
    // A hundred bytes by which the command line finds what is in the desktop's own scripts count for nothing.
    const large = (file: string): boolean => statSync(path.join(out, file)).size > 200
    expect(reached.size).toBeGreaterThan(20)
    expect(packed.filter((file) => !reached.has(file) && large(file))).toEqual([])
  })

  it.each(packages)('has its fuses set on $system', async ({ unpacked, program }) => {
    const fuses = await getCurrentFuseWire(path.join(dist, unpacked, program))
    const isOn = (fuse: FuseV1Options): boolean => String.fromCharCode(fuses[fuse] ?? 0) === '1'
    expect({
      RunAsNode: isOn(FuseV1Options.RunAsNode),
      EnableCookieEncryption: isOn(FuseV1Options.EnableCookieEncryption),
      EnableNodeOptions: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      EnableNodeCliInspect: isOn(FuseV1Options.EnableNodeCliInspectArguments),
      AsarIntegrity: isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      OnlyLoadAppFromAsar: isOn(FuseV1Options.OnlyLoadAppFromAsar),
      FileProtocolPrivileges: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({
      RunAsNode: false,
      EnableCookieEncryption: true,
      EnableNodeOptions: false,
      EnableNodeCliInspect: false,
      AsarIntegrity: true,
      OnlyLoadAppFromAsar: true,
      FileProtocolPrivileges: false,
    })
  })

  it('carries the hash of its archive where the system has a place for it', () => {
    const [, mac, windows] = packages
    const hashOf = ({ unpacked, resources }: (typeof packages)[number]): string => {
      const { headerString } = getRawHeader(path.join(dist, unpacked, resources, 'app.asar'))
      return createHash('sha256').update(headerString).digest('hex')
    }
    const info = readFileSync(path.join(dist, mac.unpacked, 'Tabscope.app/Contents/Info.plist'))
    expect(info.toString()).toContain(`<string>${hashOf(mac)}</string>`)
    const program = readFileSync(path.join(dist, windows.unpacked, 'Tabscope.exe'), 'latin1')
    expect(program).toContain(
      JSON.stringify([
        { file: String.raw`resources\app.asar`, alg: 'SHA256', value: hashOf(windows) },
      ]),
    )
  })

  it('is registered for event logs and links, and started with its sandbox, on Linux', () => {
    expect(told).toHaveLength(2)
    for (const entry of told) {
      // %U: files come as paths or as file: addresses, links as they are.
      expect(entry).toMatch(/^Exec=[^ ]+ %U$/m)
      expect(entry).toContain(
        'MimeType=application/vnd.tabscope.event-log;x-scheme-handler/tabscope;',
      )
    }
    expect(told.join('\n')).toContain('<glob pattern="*.tabscope"/>')
  })

  it('is registered for event logs and links on macOS, and asks for what Electron needs', () => {
    const info = readFileSync(path.join(dist, 'mac-arm64/Tabscope.app/Contents/Info.plist'), 'utf8')
    const flat = info.replaceAll(/\s*\n\s*/g, '')
    expect(flat).toContain('<key>CFBundleURLSchemes</key><array><string>tabscope</string></array>')
    expect(flat).toContain(
      '<key>CFBundleTypeExtensions</key><array><string>tabscope</string></array>',
    )
    expect(flat).toContain('<key>LSHandlerRank</key><string>Owner</string>')
    expect(flat).toContain('<key>LSMinimumSystemVersion</key><string>13.0</string>')
    expect(flat).toContain('<string>public.app-category.developer-tools</string>')
  })

  it('without Electron itself is under 8 MiB, compressed', () => {
    for (const { unpacked, resources } of packages) {
      const folder = path.join(dist, unpacked, resources)
      const files = globSync('**/*', { cwd: folder, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(path.join(entry.parentPath, entry.name)))
      expect(files.length).toBeGreaterThan(1)
      // As a tar.gz at the quickest level: the installers compress better.
      expect(gzipSync(Buffer.concat(files), { level: 1 }).byteLength).toBeLessThan(8 * 1024 * 1024)
    }
  })
})
