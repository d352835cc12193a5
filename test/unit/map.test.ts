import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const map = read('src/README.md')

const entries = globSync(['src/**', 'test/**', 'resources/**', '.github/**'], { cwd: root })
  .map((entry) => entry.split(path.sep).join('/'))
  .filter((entry) => !entry.includes('node_modules'))
const folders = new Set(entries.map((entry) => path.posix.dirname(entry)))
/** Files by their name with and without its ending, and folders. */
const known = [...entries, ...entries.map((entry) => entry.replace(/\.\w+$/, '')), ...folders]

test('the map names every folder', () => {
  const unnamed = [...folders].filter((folder) => {
    const name = path.posix.basename(folder)
    return (
      folder.startsWith('src/') && !new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`).test(map)
    )
  })
  expect(unnamed).toEqual([])
})

/** What stands first on a line of a block, with a folder before it: `capture/journal-*`, `event-log/read/`. */
function placesIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```\n(?<lines>[\s\S]*?)^```/gm)]
  return blocks
    .flatMap(({ groups }) => (groups?.['lines'] ?? '').split('\n'))
    .map(
      (line) => /^(?:socket ─)?\s*(?<place>\.?[\w-]+(?:\/[\w.*-]+)+)/.exec(line)?.groups?.['place'],
    )
    .filter((place) => place !== undefined)
}

test('the first word of each line of its ways is there', () => {
  const places = placesIn(map)
  expect(places.length).toBeGreaterThan(100)
  const gone = places.filter((place) => {
    const ends = (place.split('*')[0] ?? '').replace(/\/$/, '')
    const whole = !place.includes('*')
    return !known.some((entry) =>
      whole ? `/${entry}`.endsWith(`/${ends}`) : `/${entry}`.includes(`/${ends}`),
    )
  })
  expect(gone).toEqual([])
})

test.for([
  'README.md',
  'src/README.md',
  '.github/SECURITY.md',
  'test/support/electron-double/README.md',
])('%s: its links lead to files', (file) => {
  const links = [...read(file).matchAll(/\]\((?<to>[^)#\s]+)/g)].map(
    ({ groups }) => groups?.['to'] ?? '',
  )
  const own = links.filter((to) => !/^[a-z]+:/.test(to))
  expect(own.filter((to) => !existsSync(path.join(root, path.dirname(file), to)))).toEqual([])
})

test('the scripts and workflows that the README names are there', () => {
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
  const named = [...read('README.md').matchAll(/`npm run\s(?:-s )?(?<name>[a-z]+)/g)]
  expect(named.length).toBeGreaterThan(4)
  expect(
    named.map(({ groups }) => groups?.['name']).filter((name) => !scripts.includes(name ?? '')),
  ).toEqual([])
})

test('the top of the repository holds what it may', () => {
  const allowed = new Set([
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'electron.vite.config.ts',
    'electron-builder.yml',
    'README.md',
    'LICENSE',
    'src',
    'resources',
    'test',
    // Made, and ignored by git.
    'node_modules',
    'out',
    'dist',
    'coverage',
  ])
  expect(readdirSync(root).filter((name) => !name.startsWith('.') && !allowed.has(name))).toEqual(
    [],
  )
})
