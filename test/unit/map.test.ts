import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const map = read('src/README.md')

const entries = globSync(['src/**', 'test/**', 'resources/**', '.github/**'], { cwd: root })
  .map((entry) => entry.split(path.sep).join('/'))
  .filter((entry) => !entry.includes('node_modules'))
const folders = new Set(entries.map((entry) => path.posix.dirname(entry)))
/** Files by their path with and without the ending, and folders. */
const known = [...entries, ...entries.map((entry) => entry.replace(/\.\w+$/, '')), ...folders]

test('the map names every layer, domain and host', () => {
  const parts = [...folders].filter((folder) =>
    /^src\/(?:[\w-]+|(?:engine|hosts|renderer)\/[\w-]+)$/.test(folder),
  )
  expect(parts.length).toBeGreaterThan(25)
  const unnamed = parts.filter((folder) => {
    const name = path.posix.basename(folder)
    return !new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`).test(map)
  })
  expect(unnamed).toEqual([])
})

/** Places with a folder before them: `capture/group-commit`, `event-logs/read/`; those that begin a line of a block, and those in code spans. */
function placesIn(text: string): string[] {
  const blocks = Array.from(
    text.matchAll(/^```\n(?<lines>[\s\S]*?)^```/gm),
    ({ groups }) => groups?.['lines'] ?? '',
  )
  const inBlocks = blocks.flatMap((lines) => lines.match(/^[\w.-]+(?:\/[\w.-]+)+\/?/gm) ?? [])
  const inSpans = text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .matchAll(/`(?<place>[\w.-]+(?:\/[\w.-]+)*\/?)`/g)
  const spans = Array.from(inSpans, ({ groups }) => groups?.['place'] ?? '')
  return [...inBlocks, ...spans.filter((place) => place.includes('/'))]
}

test.for([
  ['src/README.md', 60],
  ['.github/CONTRIBUTING.md', 25],
] as const)('the files and folders that %s names are there', ([file, atLeast]) => {
  const places = placesIn(read(file))
  expect(places.length).toBeGreaterThan(atLeast)
  const gone = places.filter(
    (place) => !known.some((entry) => `/${entry}`.endsWith(`/${place.replace(/\/$/, '')}`)),
  )
  expect(gone).toEqual([])
})

test('the scripts that the README and CONTRIBUTING mention exist', () => {
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
  const text = read('README.md') + read('.github/CONTRIBUTING.md')
  const named = [...text.matchAll(/`npm run\s(?:-s )?(?<name>[a-z]+)/g)]
  expect(named.length).toBeGreaterThan(4)
  expect(
    named.map(({ groups }) => groups?.['name']).filter((name) => !scripts.includes(name ?? '')),
  ).toEqual([])
})
