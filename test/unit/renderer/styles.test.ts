import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { compile } from 'tailwindcss'
import { expect, it } from 'vitest'

const src = path.resolve(import.meta.dirname, '../../../src')
const files = globSync('renderer/**/*.{ts,tsx,css}', { cwd: src }).map((file) =>
  path.join(src, file),
)
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

const alias = /^#(?=(?:app|pages|parts|client|kit)\/)/
function placeOf(from: string, name: string): string[] {
  const place = name.startsWith('.')
    ? path.resolve(path.dirname(from), name)
    : path.join(src, name.replace(alias, 'renderer/').replace('#', ''))
  return texts.has(place) ? [place] : []
}
function named(file: string, pattern: RegExp): string[] {
  const found = (texts.get(file) ?? '').matchAll(pattern)
  return [...found].flatMap(([, name]) => (name === undefined ? [] : placeOf(file, name)))
}
/** What comes with a module, and what it waits for until it is wanted. */
const withIt = new Map(
  files.map((file) => [
    file,
    named(file, /^import\s+(?!type\b)(?:[\w*{][^'"]*?from\s+)?'([^']+)'/gm),
  ]),
)
// `app/pages.ts` collects the pages by a glob.
withIt
  .get(path.join(src, 'renderer/app/pages.ts'))
  ?.push(...files.filter((file) => file.endsWith(`${path.sep}page.ts`)))
const later = new Set(files.flatMap((file) => named(file, /\bimport\(\s*'([^']+)'\s*\)/g)))

function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  for (const next of withIt.get(file) ?? []) loadedWith(next, loaded)
  return loaded
}

/** The classes that a stylesheet says something of by themselves, not only within another. */
function classesOf(css: string): Set<string> {
  const bare = css.replaceAll(/\/\*[\s\S]*?\*\/|url\([^)]*\)/g, '')
  const selectors = [...bare.matchAll(/([^{};]+)\{/g)].flatMap(([, one = '']) => one.split(','))
  const firsts = selectors.map((one) => one.trim().split(/[\s>+~]/)[0] ?? '')
  return new Set(
    firsts.flatMap((one) => [...one.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name)),
  )
}
const styles = files.filter((file) => file.endsWith('.css'))
const definedIn = Map.groupBy(
  styles.flatMap((file) =>
    [...classesOf(texts.get(file) ?? '')].map((name) => [name, file] as const),
  ),
  ([name]) => name,
)

function classesUsedIn(tsx: string): string[] {
  return [...tsx.matchAll(/className=(?:"([^"]*)"|\{([^}]*)\})/g)].flatMap(([, plain, code]) =>
    (plain ?? [...(code ?? '').matchAll(/['"`]([^'"`]*)['"`]/g)].map(([, one]) => one).join(' '))
      .split(/\s+/)
      .filter((name) => definedIn.has(name)),
  )
}

/** A dialog whose styles are loaded by another page looks broken until that page is opened. */
it('loads its own styles, whichever pages were opened before', () => {
  const main = path.join(src, 'renderer/main.tsx')
  const always = loadedWith(main)
  expect(later.size).toBeGreaterThan(15)
  const checked = new Set([main, ...later].flatMap((root) => [...loadedWith(root)]))
  const own = files.filter((file) => /\brenderer\b.*\.(?:tsx|css)$/.test(path.relative(src, file)))
  expect(own.filter((file) => !checked.has(file))).toEqual([])
  const faults = new Set<string>()
  for (const root of [main, ...later]) {
    const here = loadedWith(root)
    for (const file of here) {
      if (!file.endsWith('.tsx')) continue
      for (const name of classesUsedIn(texts.get(file) ?? '')) {
        const places = (definedIn.get(name) ?? []).map(([, css]) => css)
        if (places.some((css) => here.has(css) || always.has(css))) continue
        const where = places.map((css) => path.relative(src, css)).join(', ')
        faults.add(
          `.${name} of ${path.relative(src, file)}, as loaded with ${path.relative(src, root)}, is in ${where}`,
        )
      }
    }
  }
  expect([...faults]).toEqual([])
})

const sheets = styles.map((file) => ({
  file: path.relative(src, file),
  text: (texts.get(file) ?? '').replaceAll(/\/\*[\s\S]*?\*\//g, ''),
}))
const ownSheets = sheets.filter(({ file }) => !file.startsWith('renderer/kit/'))

/** Sheets that say lengths in pixels beside the scales of `kit/theme/tokens.css`, and why. */
const ownLengths = {
  'renderer/app/Shell.css':
    'the folded rail, and where toasts keep clear of what stands at the foot',
  'renderer/pages/deliveries/DeliveryList.css': 'the columns of the list, which has none to spare',
  'renderer/pages/deliveries/detail/trace/Trace.css': 'hatching',
  'renderer/app/palette/Palette.css': 'its place under the bar',
} as const

it('uses the scales for lengths, with a few documented exceptions', () => {
  const found = ownSheets.map(({ file, text }) => ({
    file,
    lengths: [...text.matchAll(/(?<![\w.])(\d+(?:\.\d+)?)px(?=[^{}]*\})/g)].filter(
      ([, length]) => Number(length) > 2,
    ).length,
  }))
  const others = found.filter(
    ({ file, lengths }) => lengths > 0 && !Object.hasOwn(ownLengths, file),
  )
  expect(others).toEqual([])
  const without = Object.keys(ownLengths).filter(
    (name) => !found.some(({ file, lengths }) => file === name && lengths > 0),
  )
  expect(without).toEqual([])
  expect(found.reduce((sum, { lengths }) => sum + lengths, 0)).toBeLessThanOrEqual(150)
})

it('takes layers and colors from the tokens', () => {
  const layers = ownSheets.flatMap(({ file, text }) =>
    [...text.matchAll(/z-index: *\d+/g)].map(([layer]) => `${file}: ${layer}`),
  )
  expect(layers).toEqual([])
  const outside = sheets.filter(({ file }) => !file.startsWith('renderer/kit/theme/'))
  const colors = outside.flatMap(({ file, text }) =>
    [
      ...text
        .replaceAll(/url\([^)]*\)/g, '')
        .matchAll(/#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(|light-dark\(/g),
    ].map(([color]) => `${file}: ${color}`),
  )
  expect(colors).toEqual([])
})

it('has no unused token, and uses no undefined one', () => {
  const code = [...texts].filter(([file]) => !file.endsWith('.css')).map(([, text]) => text)
  const all = [...sheets.map(({ text }) => text), ...code].join('\n')
  // Radix sets its own.
  const used = new Set([...all.matchAll(/\(\s*(--(?!radix-)[\w-]+)/g)].map(([, name = '']) => name))
  const defined = new Set([...all.matchAll(/(--[\w-]+)['"]?\s*:/g)].map(([, name = '']) => name))
  expect([...used].filter((name) => !name.endsWith('-') && !defined.has(name))).toEqual([])
  const tokens = sheets.find(({ file }) => file === 'renderer/kit/theme/tokens.css')?.text ?? ''
  const unused = [...tokens.matchAll(/^ +(--[\w-]+):/gm)]
    .map(([, name = '']) => name)
    // The colors of series are named by their number.
    .filter((name) => !used.has(name) && !name.startsWith('--chart-'))
  expect(unused).toEqual([])
})

/** Names that scripts and tests find elements by. */
const looked = new Set(
  globSync(['src/**/*.{ts,tsx}', 'test/**/*.ts'], { cwd: path.dirname(src) })
    .map((file) => readFileSync(path.join(path.dirname(src), file), 'utf8'))
    .flatMap((text) =>
      [...text.matchAll(/(?:\.|class=")([a-z][\w-]*)/g)].map(([, name = '']) => name),
    ),
)
function tokensOf(tsx: string): string[] {
  return [...tsx.matchAll(/className=(?:"([^"]*)"|\{((?:[^{}]|\{[^{}]*\})*)\})/g)].flatMap(
    ([, plain, code]) =>
      (
        plain ??
        [...(code ?? '').matchAll(/(?<![=!]= ?)'([^']*)'/g)].map(([, one]) => one).join(' ')
      )
        .split(/\s+/)
        .filter((name) => /[a-z].*[^:]$/.test(name)),
  )
}
const tokens = new Set(
  files.filter((f) => f.endsWith('.tsx')).flatMap((f) => tokensOf(texts.get(f) ?? '')),
)

it('uses classes that a stylesheet or Tailwind knows', async () => {
  const theme = texts.get(path.join(src, 'renderer/kit/theme/tailwind.css')) ?? ''
  const compiled = await compile(theme)
  const utilities = compiled.build([...tokens])
  const made = (name: string): boolean =>
    utilities.includes(`.${name.replaceAll(/[^\w-]/g, String.raw`\$&`)}`)
  const anywhere = new Set(
    styles.flatMap((file) =>
      [...(texts.get(file) ?? '').matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name),
    ),
  )
  const unknown = [...tokens].filter(
    (name) => !anywhere.has(name) && !looked.has(name) && !made(name),
  )
  expect(unknown).toEqual([])
})

it('says no lengths in pixels in a class, beyond hairlines', () => {
  const own = [...tokens].filter((name) =>
    [...name.matchAll(/(\d+(?:\.\d+)?)px/g)].some(([, length]) => Number(length) > 2),
  )
  expect(own).toEqual([])
})
