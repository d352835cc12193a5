import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseFilter } from '#contract/filter/parse.ts'
import { generatedFiles } from '#build/reference/files.ts'
import { guide, readPage, resolveLink } from '#pages/help/guide.ts'
import { guidePages, guidePlaceOf } from '#client/addresses/guide.ts'
import { bannedWords } from '#test/support/texts.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const docs = 'resources/docs'

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)))

/** Without code, which may look like a link or a label. */
function prose(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, '``')
}

/** Without the targets of links either. */
function words(text: string): string {
  return prose(text).replaceAll(/\]\([^)\s]+\)/g, ']')
}

function linksOf(text: string): string[] {
  return Array.from(
    prose(text).matchAll(/\]\((?<to>[^)\s]+)\)/g),
    ({ groups }) => groups?.['to'] ?? '',
  )
}

const anchors = new Map<string, ReadonlySet<string>>()

function anchorsOf(file: string): ReadonlySet<string> {
  const found = anchors.get(file) ?? new Set(readPage('signatures', '', read(file)).slugs.values())
  anchors.set(file, found)
  return found
}

function faultOf(file: string, link: string): string | null {
  if (/^[a-z]+:/.test(link)) return null
  const [to = '', anchor] = link.split('#')
  const target = to === '' ? file : path.posix.join(path.posix.dirname(file), to)
  if (!existsSync(path.join(root, target))) return `${link}: there is no ${target}`
  if (anchor === undefined || !target.endsWith('.md')) return null
  return anchorsOf(target).has(anchor) ? null : `${link}: ${target} has no such heading`
}

describe.each(files)('%s', (file) => {
  test('its links lead to files and headings', () => {
    expect(linksOf(read(file)).flatMap((link) => faultOf(file, link) ?? [])).toEqual([])
  })
})

describe('the guide', () => {
  test('lists every page, under its first heading', () => {
    const names = readdirSync(path.join(root, docs)).filter((name) => name.endsWith('.md'))
    expect(guidePages.map(({ name }) => `${name}.md`).toSorted()).toEqual(names.toSorted())
    for (const { name, title } of guidePages)
      expect(/^# (?<title>.+)$/m.exec(read(`${docs}/${name}.md`))?.groups?.['title']).toBe(title)
  })

  test('has every link within it, and to the repository, in the interface as well', () => {
    for (const page of guide) {
      for (const link of linksOf(read(`${docs}/${page.name}.md`))) {
        const address = resolveLink(link, page.name)
        if (!address.startsWith('#')) {
          expect(address).toMatch(/^https:\/\//)
          continue
        }
        const place = guidePlaceOf(address)
        expect(place.page, link).not.toBeNull()
        const slugs = guide.find(({ name }) => name === place.page)?.slugs.values() ?? []
        if (place.section !== null) expect([...slugs], link).toContain(place.section)
      }
    }
  })

  test('has the heading of every “Learn more” link', () => {
    const sources = globSync('src/renderer/{app,pages,parts}/**/*.tsx', { cwd: root }).map(read)
    const links = sources.flatMap((source) =>
      Array.from(
        source.matchAll(/<LearnMore\s+page="(?<page>[^"]+)"(?:\s+section="(?<section>[^"]+)")?/g),
        ({ groups }) => ({ page: groups?.['page'], section: groups?.['section'] }),
      ),
    )
    expect(links.length).toBeGreaterThan(7)
    for (const { page, section } of links) {
      const found = guide.find(({ name }) => name === page)
      expect(found, page).toBeDefined()
      if (section !== undefined) expect([...(found?.slugs.values() ?? [])]).toContain(section)
    }
  })

  test('names buttons and options as the interface does', () => {
    const sources = globSync(['src/renderer/**/*.{ts,tsx}', 'src/contract/**/*.ts'], { cwd: root })
    const interfaceText = sources.map(read).join('\n').replaceAll(/\s+/g, ' ')
    const unknown = guidePages.flatMap(({ name }) =>
      Array.from(
        prose(read(`${docs}/${name}.md`)).matchAll(/\*\*(?<label>[^*]+)\*\*/g),
        // A page and its tab: **Setup > Sandbox**.
        ({ groups }) => groups?.['label']?.split(' > ') ?? [],
      )
        .flat()
        .filter((label) => label !== 'Assumption.' && !interfaceText.includes(label))
        .map((label) => `${name}: ${label}`),
    )
    expect(unknown).toEqual([])
  })

  test('has filters that can be parsed', () => {
    const page = read(`${docs}/filters.md`)
    const filters = Array.from(
      page.matchAll(/`(?<filter>[^`\n]*[a-z]:[^`\n]*)`/g),
      ({ groups }) => groups?.['filter'] ?? '',
    ).filter((filter) => !/tabscope|#\/|:$/.test(filter))
    expect(filters.length).toBeGreaterThan(10)
    expect(filters.filter((filter) => !parseFilter(filter).ok)).toEqual([])
  })
})

/** The largest that each may be: a front page, and the architecture in one sitting. */
const limits = [
  ['README.md', 180],
  ['src/README.md', 160],
] as const

test.each(limits)('%s has at most %i lines of 160 characters, and 12 KiB', (file, lines) => {
  const text = read(file)
  expect(text.split('\n').length).toBeLessThanOrEqual(lines)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12 * 1024)
  expect(text.split('\n').filter((line) => line.length > 160)).toEqual([])
})

describe('plain words', () => {
  /** Their words are those of the source that they are made of. */
  const handWritten = files.filter((file) => !Object.hasOwn(generatedFiles, file))

  test.each(handWritten)('in %s', (file) => {
    const text = words(read(file))
    const found = bannedWords.flatMap(([banned, instead]) => {
      const match = banned.exec(text)
      return match ? [`“${match[0]}”: write ${instead}`] : []
    })
    expect(found).toEqual([])
  })
})
