import { describe, expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { growth, linearGrowth } from '#test/support/growth.ts'
import { bounded } from '#test/support/regular-expressions/bounded.ts'
import {
  expressionsInSource,
  linearExpressions,
  repetitionIn,
} from '#test/support/regular-expressions/in-source.ts'

const all = expressionsInSource()
const linear = linearExpressions()
/** Those whose time depends on the length of what they are applied to in more than one place. */
const repeating = all.filter(({ pattern }) => !pattern || repetitionIn(pattern.source).unbounded)
const reasons = new Map(bounded.map(({ text, why }) => [text, why]))

describe('every regular expression in src', () => {
  it('is linear, or has a reason why its input is bounded', () => {
    const known = new Set([...linear, ...reasons.keys()])
    const unknown = repeating
      .filter(({ text }) => !known.has(text))
      .map(({ file, line, text }) => `${file}:${line}: ${text}`)
    expect(unknown, 'Run: node test/support/regular-expressions/check.ts').toEqual([])
  })

  it('does not need a deep stack, or has a reason why its input is bounded', () => {
    const deep = repeating.filter(
      ({ text, pattern }) => pattern && repetitionIn(pattern.source).deep && !reasons.has(text),
    )
    expect(deep.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([])
  })

  it('that has a reason still exists', () => {
    const there = new Set(all.map(({ text }) => text))
    expect([...reasons.keys()].filter((text) => !there.has(text))).toEqual([])
  })

  it.runIf(full)(
    'that is listed as linear is so for doubling inputs of its parts',
    () => {
      const grows: string[] = []
      for (const { text, pattern } of repeating) {
        if (!pattern || reasons.has(text)) continue
        const expression = new RegExp(pattern.source, pattern.flags)
        for (const piece of piecesFor(pattern.source)) {
          const attack = (size: number) => {
            const input = piece.repeat(Math.ceil(size / piece.length))
            return () => input.replace(expression, '')
          }
          if (growth(attack, 2000) >= linearGrowth)
            grows.push(`${text} for ${JSON.stringify(piece)}`)
        }
      }
      expect(grows).toEqual([])
    },
    60_000,
  )
})

/** What may be repeated to make it slow: single characters, and the words of the expression itself with one behind them. */
function piecesFor(source: string): Set<string> {
  const single = ['a', '1', ' ', '\n', '\t', ...'" \\ / - . = : % @ < { ,'.split(' ')]
  const words = source.match(/[A-Za-z]{3,}[=":-]{0,2}/g) ?? []
  return new Set([
    ...single,
    '"\\',
    'a-',
    ' "',
    ...words,
    ...words.flatMap((word) => [`${word} `, `${word}aaaaaaaa-`]),
  ])
}
