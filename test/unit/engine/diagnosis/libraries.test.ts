import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { producersOf } from '#engine/diagnosis/json/libraries.ts'
import { diagnose } from '#engine/diagnosis/diagnose.ts'
import { TimeBudget } from '#engine/diagnosis/time-budget.ts'
import { full } from '#test/support/full.ts'
import { hex, inputOf } from './given.ts'

interface Recorded {
  readonly body: string
  readonly outputs: readonly { readonly text: string; readonly libraries: readonly string[] }[]
}

/**
 * What libraries wrote for these bodies: PHP 8.2, Python 3.11, Ruby 3.1 with json 2.6, Rails 6.1, Go 1.19, Jackson 2.14 and Gson 2.10.
 */
const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('./recorded.json', import.meta.url), 'utf8'),
)

/** Words of the recorded names, and the libraries that are expected for them. */
const families = [
  ['php', 'json_encode of PHP'],
  ['python', 'json.dumps of Python'],
  ['ruby', 'JSON.generate of Ruby'],
  ['rails', 'to_json of Rails'],
  ['go ', 'of Go'],
  ['jackson', 'Jackson'],
  ['gson', 'Gson'],
] as const

const all = recorded.flatMap(({ body, outputs }, index) =>
  outputs
    .filter(({ text }) => text !== body)
    .map(({ text, libraries }) => ({ name: `${libraries[0]} #${index}`, body, text, libraries })),
)

/** The others run in `npm run test:full`. */
const tested = full ? all : all.filter((_, index) => index % 4 === 0)

describe.each(tested)('$name', ({ body, text, libraries }) => {
  it('is known, with the library that wrote it', async () => {
    const names = (await producersOf(text, body, new TimeBudget())).map(({ name }) => name)
    for (const library of libraries) {
      const family = families.find(([word]) => library.startsWith(word))?.[1] ?? library
      expect(names.join()).toContain(family)
    }
  })

  it('is found if it was signed', async () => {
    const { causes, producers } = await diagnose(inputOf({ body, signature: hex(text) }))
    const found = causes.filter(({ outcome }) => outcome === 'matches')
    expect(found.length).toBeGreaterThan(0)
    // Escapes and numbers are only named if the body has what they change.
    for (const { code, detail } of found) {
      if (code === 'body.slashes') expect(body).toContain('/')
      expect(detail).toMatch(/\.$/)
    }
    expect(producers.length).toBeGreaterThan(0)
  })
})
