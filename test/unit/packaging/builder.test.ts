import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const root = path.resolve(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
/** Anew for each who asks, since some change it. */
const settings = (): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).parse(parse(read('electron-builder.yml')))

/** The library versions that a 64-bit little-endian ELF file needs, from SHT_GNU_verneed. */
function versionNeeds(elf: Buffer): string[] {
  if (elf.toString('latin1', 0, 6) !== '\x7FELF\x02\x01') throw new Error('Not a 64-bit ELF file.')
  const table = Number(elf.readBigUInt64LE(0x28))
  const entrySize = elf.readUInt16LE(0x3a)
  const sections = Array.from({ length: elf.readUInt16LE(0x3c) }, (_, index) => {
    const at = table + index * entrySize
    return {
      type: elf.readUInt32LE(at + 4),
      offset: Number(elf.readBigUInt64LE(at + 24)),
      link: elf.readUInt32LE(at + 40),
      entries: elf.readUInt32LE(at + 44),
    }
  })
  const needs = sections.find(({ type }) => type === 0x6ffffffe)
  const strings = sections[needs?.link ?? -1]
  if (needs === undefined || strings === undefined) throw new Error('It needs no versions.')
  const names: string[] = []
  let library = needs.offset
  for (let left = needs.entries; left > 0; left -= 1) {
    let version = library + elf.readUInt32LE(library + 8)
    for (let versions = elf.readUInt16LE(library + 2); versions > 0; versions -= 1) {
      const name = strings.offset + elf.readUInt32LE(version + 8)
      names.push(elf.toString('latin1', name, elf.indexOf(0, name)))
      version += elf.readUInt32LE(version + 12)
    }
    library += elf.readUInt32LE(library + 12)
  }
  return names
}

/** The GCC that brought a version of libstdc++'s symbols, which is the version of Debian's package. */
const GCC_OF_LIBSTDCXX: Readonly<Record<string, string>> = {
  '3.4.28': '10',
  '3.4.29': '11',
  '3.4.30': '12',
  '3.4.31': '13',
  '3.4.32': '13.2',
  '3.4.33': '14',
}

it.each(['x64', 'arm64'])(
  'the packager configuration depends on the C and C++ libraries that SQLite needs on %s',
  (arch) => {
    const file = path.join(root, `node_modules/better-sqlite3/prebuilds/linux-${arch}.node`)
    const needs = versionNeeds(readFileSync(file))
    const newest = (prefix: string): string =>
      needs
        .filter((name) => name.startsWith(`${prefix}_`))
        .map((name) => name.slice(prefix.length + 1))
        .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))[0] ?? 'none'
    const gcc = GCC_OF_LIBSTDCXX[newest('GLIBCXX')]
    const { depends } = z.object({ depends: z.array(z.string()) }).parse(settings()['deb'])
    expect(depends.filter((one) => one.startsWith('libc6'))).toEqual([
      `libc6 (>= ${newest('GLIBC')})`,
    ])
    expect(depends.filter((one) => one.startsWith('libstdc++6'))).toEqual([
      `libstdc++6 (>= ${gcc})`,
    ])
    // Who takes the AppImage reads it.
    expect(read('resources/docs/desktop-app.md')).toContain(
      `glibc ${newest('GLIBC')} and libstdc++ ${gcc}`,
    )
  },
)

it.each(['entitlements.mac.plist', 'entitlements.mac.inherit.plist'])(
  'the requests of the packages of macOS is to compile while it runs, and nothing else: %s',
  (name) => {
    const text = read(`resources/${name}`)
    expect(
      [...text.matchAll(/<key>(.*)<\/key>\s*<(\w+)/g)].map(([, key, value]) => [key, value]),
    ).toEqual([['com.apple.security.cs.allow-jit', 'true']])
  },
)
