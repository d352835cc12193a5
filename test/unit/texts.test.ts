import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bannedWords, textsInSource } from '#test/support/texts.ts'

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
