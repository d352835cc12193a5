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

test('every text of the interface, the command line and the sandbox is plain English', () => {
  const texts = textsInSource()
  // Else nothing is checked.
  expect(texts.length).toBeGreaterThan(4000)
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
