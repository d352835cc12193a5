import { extractFile, getRawHeader, listPackage, statFile } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { Arch, build, Platform } from 'electron-builder'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { stubElectron } from '../support/stub-electron.ts'
import { root, tempDir } from './harness.ts'

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))
const folder = tempDir()
const dist = path.join(folder.path, 'dist')

/** The contents of each system's package, for both processors, with the file name of its native module. */
const packages = (['x64', 'arm64'] as const).flatMap((arch) => {
  const suffix = arch === 'x64' ? '' : `-${arch}`
  return [
    {
      system: 'Linux',
      arch,
      unpacked: `linux${suffix}-unpacked`,
      resources: 'resources',
      native: `linux-${arch}`,
      program: 'tabscope',
      tray: 'linux',
    },
    {
      system: 'macOS',
      arch,
      unpacked: `mac${suffix}`,
      resources: 'Tabscope.app/Contents/Resources',
      native: `darwin-${arch}`,
      program: 'Tabscope.app',
      tray: 'mac',
    },
    {
      system: 'Windows',
      arch,
      unpacked: `win${suffix}-unpacked`,
      resources: 'resources',
      native: `win32-${arch}`,
      program: 'Tabscope.exe',
      tray: 'windows',
    },
  ] as const
})
type Package = (typeof packages)[number]
const of = (system: Package['system']): Package[] =>
  packages.filter((item) => item.system === system)

const archiveOf = ({ unpacked, resources }: Package): string =>
  path.join(dist, unpacked, resources, 'app.asar')

/** What the system compares the archive with: the digest of its header, which contains the digests of all files in it. */
function hashOf(item: Package): string {
  const { headerString } = getRawHeader(archiveOf(item))
  return createHash('sha256').update(headerString).digest('hex')
}

const Digest = z.object({
  algorithm: z.string(),
  hash: z.string(),
  blockSize: z.number(),
  blocks: z.array(z.string()),
})
type Digest = z.infer<typeof Digest>
const Entry = z.object({
  unpacked: z.boolean().optional(),
  integrity: Digest.optional(),
  get files() {
    return z.record(z.string(), Entry).optional()
  },
})

function digestsIn({ files, unpacked, integrity }: z.infer<typeof Entry>): Digest[] {
  if (files !== undefined) return Object.values(files).flatMap(digestsIn)
  return unpacked === true || integrity === undefined ? [] : [integrity]
}

function machineOf(file: string): string {
  const bytes = readFileSync(file)
  if (bytes.toString('latin1', 1, 4) === 'ELF')
    return { 0x3e: 'x64', 0xb7: 'arm64' }[bytes.readUInt16LE(18)] ?? 'another'
  if (bytes.toString('latin1', 0, 2) === 'MZ') {
    const machine = bytes.readUInt16LE(bytes.readUInt32LE(0x3c) + 4)
    return { 0x8664: 'x64', 0xaa64: 'arm64' }[machine] ?? 'another'
  }
  return { 0x1000007: 'x64', 0x100000c: 'arm64' }[bytes.readUInt32LE(4)] ?? 'another'
}

/** The desktop entry, and the MIME types if they are in a separate file. */
function desktopEntryOf(options: unknown): string {
  const { desktop } = z.object({ desktop: z.string() }).catch({ desktop: '' }).parse(options)
  if (desktop !== '') return desktop
  const [args, file] = z.tuple([z.array(z.string()), z.string()]).parse(options)
  const types = args.find((arg) => arg.endsWith('=/usr/share/mime/packages/tabscope.xml'))
  return [file, types?.split('=')[0] ?? ''].map((name) => readFileSync(name, 'utf8')).join('\n')
}

describe.runIf(process.platform === 'linux')('the packaged app', () => {
  /** The desktop files of AppImage and deb; building the packages themselves would require downloading tools. */
  const reported: string[] = []
  const named: string[] = []

  beforeAll(async () => {
    const stub = path.join(folder.path, 'electron')
    stubElectron(stub)
    await build({
      projectDir: root,
      publish: 'never',
      // One run for all systems: most of its time is the start.
      targets: new Map([
        ...Platform.LINUX.createTarget(['AppImage', 'deb'], Arch.x64, Arch.arm64),
        ...Platform.MAC.createTarget(['dir'], Arch.x64, Arch.arm64),
        ...Platform.WINDOWS.createTarget(['dir'], Arch.x64, Arch.arm64),
      ]),
      config: {
        electronDist: stub,
        directories: { output: dist },
        artifactBuildStarted: ({ file }) => void named.push(path.basename(file)),
      },
      effectiveOptionComputed: (options) => {
        reported.push(desktopEntryOf(options))
        return Promise.resolve(true)
      },
    })
  })
  afterAll(() => folder[Symbol.dispose]())

  it.each(packages)(
    'contains what it runs and nothing else on $system, $arch',
    ({ unpacked, resources, ...own }) => {
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
        ]),
      )
      expect(files.filter((file) => file.endsWith('.node'))).toEqual([
        `/node_modules/better-sqlite3/prebuilds/${own.native}.node`,
      ])
      // Outside of the archive, since no system loads a program from one.
      const native = `node_modules/better-sqlite3/prebuilds/${own.native}.node`
      expect(globSync('**/*.*', { cwd: `${archive}.unpacked` })).toEqual([native])
      expect(machineOf(path.join(`${archive}.unpacked`, native))).toBe(own.arch)
      expect(files).toContain('/node_modules/better-sqlite3/LICENSE')
      const made = globSync('*', { cwd: path.join(root, 'resources/tray', own.tray) })
      expect(below('/resources/').filter((file) => /\.\w+$/.test(file))).toEqual(
        [
          ...(own.tray === 'linux' ? ['/resources/icons/256x256.png'] : []),
          ...made.map((file) => `/resources/tray/${own.tray}/${file}`),
        ].sort(),
      )
      const allowed =
        /^\/(package\.json$|out(\/(main|preload|renderer)(\/|$)|$)|node_modules(\/better-sqlite3(\/|$)|$)|resources(\/(tray|icons)(\/|$)|$))/
      expect(files.filter((file) => !allowed.test(file))).toEqual([])
      // No sources, tests, source maps or build files.
      expect(files.filter((file) => /\/(src|deps|test)\/|\.(map|tsx?)$|\/\./.test(file))).toEqual(
        [],
      )

      const manifest: unknown = JSON.parse(extractFile(archive, 'package.json').toString())
      // What Electron reads from it: name, version, how `main` is loaded, and the desktop entry of its windows.
      expect(manifest).toMatchObject({
        name: 'tabscope',
        productName: 'Tabscope',
        version,
        type: 'module',
        main: 'out/main/electron-main.js',
        desktopName: 'tabscope.desktop',
      })
      expect(manifest).not.toHaveProperty('scripts')
      expect(manifest).not.toHaveProperty('devDependencies')
    },
  )

  it.each(packages)('has its fuses set on $system, $arch', async ({ unpacked, program }) => {
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

  it.each(packages)('has a digest of every file in the archive on $system, $arch', (item) => {
    // On macOS and Windows, Electron ends at the first file without a digest.
    const { headerString } = getRawHeader(archiveOf(item))
    const digests = digestsIn(Entry.parse(JSON.parse(headerString)))
    const files = listPackage(archiveOf(item), { isPack: false })
    const packed = files.filter((file) => !('files' in statFile(archiveOf(item), file.slice(1))))
    expect(digests.length).toBe(packed.length - 1)
    for (const { algorithm, hash, blockSize, blocks } of digests) {
      expect([algorithm, hash.length, blocks.length > 0]).toEqual(['SHA256', 64, true])
      expect(blockSize).toBeGreaterThan(0)
    }
  })

  it('stores the hash of its archive where the system supports it', () => {
    for (const mac of of('macOS')) {
      const info = readFileSync(path.join(dist, mac.unpacked, 'Tabscope.app/Contents/Info.plist'))
      // Under the path of the archive; otherwise Electron would end because it cannot find it.
      expect(info.toString().replaceAll(/\s*\n\s*/g, '')).toContain(
        '<key>ElectronAsarIntegrity</key><dict><key>Resources/app.asar</key><dict>' +
          `<key>algorithm</key><string>SHA256</string><key>hash</key><string>${hashOf(mac)}</string>`,
      )
    }
    for (const windows of of('Windows')) {
      const program = readFileSync(path.join(dist, windows.unpacked, 'Tabscope.exe'), 'latin1')
      expect(program).toContain(
        JSON.stringify([
          { file: String.raw`resources\app.asar`, alg: 'SHA256', value: hashOf(windows) },
        ]),
      )
    }
  })

  it('is registered for event logs and links, and started with its sandbox, on Linux', () => {
    expect(reported).toHaveLength(4)
    for (const entry of reported) {
      // %U: files are passed as paths or file: URLs, links unchanged.
      expect(entry).toMatch(/^Exec=[^ ]+ %U$/m)
      expect(entry).toContain(
        'MimeType=application/vnd.tabscope.event-log;text/x-har;text/x-ndjson;x-scheme-handler/tabscope;',
      )
    }
    for (const ext of ['tabscope', 'har', 'ndjson'])
      expect(reported.join('\n')).toContain(`<glob pattern="*.${ext}"/>`)
    // Of the deb. An AppImage has no fixed path.
    const debs = reported.filter((entry) => entry.includes('TryExec=/opt/Tabscope/tabscope\n'))
    expect(debs).toHaveLength(2)
    expect(debs).toEqual(reported.filter((entry) => entry.includes('\nExec=/opt/')))
    // The name of `desktopName`: it connects windows and their entry on X11 and Wayland.
    for (const entry of reported) expect(entry).toMatch(/^StartupWMClass=tabscope$/m)
  })

  it('may create a sandbox where Ubuntu restricts that to known programs', () => {
    for (const { unpacked } of of('Linux')) {
      const profile = readFileSync(path.join(dist, unpacked, 'resources/apparmor-profile'), 'utf8')
      expect(profile).toMatch(
        /^profile "tabscope" "\/opt\/Tabscope\/tabscope" flags=\(unconfined\)/m,
      )
      expect(profile).toMatch(/^\s*userns,$/m)
    }
  })

  it('is registered for event logs and links on macOS, and requests what Electron needs', () => {
    const info = readFileSync(path.join(dist, 'mac-arm64/Tabscope.app/Contents/Info.plist'), 'utf8')
    const flat = info.replaceAll(/\s*\n\s*/g, '')
    expect(flat).toContain('<key>CFBundleURLSchemes</key><array><string>tabscope</string></array>')
    expect(flat).toContain(
      '<key>CFBundleTypeExtensions</key><array><string>tabscope</string></array>',
    )
    expect(flat).toContain('<key>LSHandlerRank</key><string>Owner</string>')
    expect(flat).toMatch(
      /<array><string>har<\/string><string>ndjson<\/string><\/array>[^]*?<key>LSHandlerRank<\/key><string>Alternate<\/string>/,
    )
    expect(flat).toContain('<key>LSMinimumSystemVersion</key><string>13.0</string>')
    expect(flat).toContain('<string>public.app-category.developer-tools</string>')
    expect(flat).toContain(
      '<key>public.filename-extension</key><array><string>tabscope</string></array>' +
        '<key>public.mime-type</key><array><string>application/vnd.tabscope.event-log</string></array>',
    )
    expect(flat).toContain('<key>UTTypeIdentifier</key><string>dev.tabscope.event-log</string>')
    expect(flat).toContain(`<key>CFBundleShortVersionString</key><string>${version}</string>`)
  })

  it('names the packages by version, system and processor, and points to the update feed', () => {
    const processors = ['amd64.deb', 'arm64.AppImage', 'arm64.deb', 'x86_64.AppImage']
    expect(named.sort()).toEqual(processors.map((name) => `tabscope-${version}-linux-${name}`))
    const updates: unknown = parse(
      readFileSync(path.join(dist, 'linux-unpacked/resources/app-update.yml'), 'utf8'),
    )
    expect(updates).toMatchObject({ provider: 'github', owner: 'tabscope', repo: 'tabscope' })
  })

  it('without Electron itself is under 8 MiB, compressed', () => {
    for (const { unpacked, resources } of packages) {
      const folder = path.join(dist, unpacked, resources)
      const files = globSync('**/*', { cwd: folder, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(path.join(entry.parentPath, entry.name)))
      expect(files.length).toBeGreaterThan(1)
      // As a tar.gz at the fastest level: the installers compress better.
      expect(gzipSync(Buffer.concat(files), { level: 1 }).byteLength).toBeLessThan(8 * 1024 * 1024)
    }
  })
})
