import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const src = path.resolve(import.meta.dirname, '../../../src')
const files = globSync('{renderer,viewer}/**/*.{ts,tsx,css}', { cwd: src }).map((file) =>
  path.join(src, file),
)
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

function placeOf(from: string, name: string): string[] {
  const place = name.startsWith('.')
    ? path.resolve(path.dirname(from), name)
    : path.join(src, name.slice(1))
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

/** A dialog whose styles come with a page that nobody has been to looks broken until somebody has. */
it('has the styles of everything that it draws loaded with it, whatever was looked at before', () => {
  const main = path.join(src, 'renderer/main.tsx')
  const always = loadedWith(main)
  // Else nothing is looked at.
  expect(later.size).toBeGreaterThan(15)
  expect(always.size).toBeGreaterThan(300)
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
