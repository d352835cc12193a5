import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bannedWords, textsIn, textsInSource } from '#test/support/texts.ts'

function faults(texts: readonly { file: string; line: number; text: string }[]): string[] {
  return texts.flatMap(({ file, line, text }) =>
    bannedWords.flatMap(([banned, instead]) => {
      const match = banned.exec(text)
      return match ? [`${file}:${line}: “${match[0]}”: write ${instead}`] : []
    }),
  )
}

const layers = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())

test.each(layers)('every text of the layer $name is plain English', ({ name }) => {
  const texts = textsInSource(name)
  // Otherwise nothing is checked. Pure helpers have no texts.
  expect(texts.length > 0 || name === 'shared').toBe(true)
  expect(faults(texts)).toEqual([])
})

test('a banned word is found in text, attributes, literals and templates, and nowhere else', () => {
  const source = [
    "import { a } from './told by nobody.ts'",
    'const message = `Nothing was told to ${a}.`',
    'const view = <p className="told to be" title="Mend it where it is marked">It goes on.</p>',
    '// told in a comment',
  ].join('\n')
  expect(faults(textsIn('page.tsx', source))).toEqual([
    'page.tsx:2: “told”: write reports, shows',
    'page.tsx:3: “Mend”: write fix',
    'page.tsx:3: “goes on”: write continue, resume',
  ])
})
