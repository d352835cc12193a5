import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { describe, expect, test } from 'vitest'
import { examplesOf, impliedBy } from '#hosts/node/command-line/command.ts'
import { pathOf, completeProgram } from '#hosts/node/command-line/program.ts'
import { generatedFiles } from '#build/reference/files.ts'
import { leavesOf } from '#build/reference/markdown.ts'

const program = await completeProgram()
const leaves = leavesOf(program)
const all: CommandUnknownOpts[] = [
  program,
  ...new Set(leaves.flatMap((leaf) => [leaf, leaf.parent ?? leaf])),
]

function helpOf(command: CommandUnknownOpts): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
  return text
}

/** The arguments of a shell command up to a pipe or redirection. */
function wordsOf(line: string): string[] {
  const [command = ''] = line.split(/ [|>] /)
  return (command.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) => word.replaceAll("'", ''))
}

/** Without the global options. */
function vocabulary(words: readonly string[]): string[] {
  return words.filter(
    (word, index) =>
      !['--json', '--quiet', '-q', '--utc', '--data', '--color'].includes(word) &&
      !['--data', '--color'].includes(words[index - 1] ?? ''),
  )
}

describe.each(leaves.map((leaf) => [pathOf(leaf), leaf] as const))('%s', (name, leaf) => {
  test('has valid examples', () => {
    expect(examplesOf(leaf).length).toBeGreaterThanOrEqual(2)
    for (const [purpose, line] of examplesOf(leaf)) {
      expect(purpose).toMatch(/[^.:]$/)
      const words = wordsOf(line)
      const names = name.split(' ').slice(1)
      const isImplied = leaf.parent !== null && impliedBy(leaf.parent) === leaf
      const own = [names.at(-1) ?? '', ...leaf.aliases()]
      const given = own.includes(words[names.length - 1] ?? '') ? names.length : names.length - 1
      if (!isImplied) expect({ line, given }).toEqual({ line, given: names.length })
      expect(words.slice(0, names.length - 1)).toEqual(names.slice(0, -1))
      const { operands, unknown } = parsed(leaf, words.slice(given))
      expect({ line, unknown }).toEqual({ line, unknown: [] })
      const required = leaf.registeredArguments.filter((each) => each.required).length
      expect(operands.length, line).toBeGreaterThanOrEqual(required)
    }
  })
})

test.each(all.map((command) => [pathOf(command), command] as const))(
  'help of %s fits 80 columns',
  (_name, command) => {
    const wide = helpOf(command)
      .split('\n')
      .filter((line) => line.length > 80)
    expect(wide).toEqual([])
  },
)

function parsed(leaf: CommandUnknownOpts, words: readonly string[]) {
  leaf.saveStateBeforeParse()
  try {
    return leaf.parseOptions(vocabulary(words))
  } finally {
    leaf.restoreStateBeforeParse()
  }
}

/** The command at the start of a command line, and the remaining arguments. */
function commandOf(line: string): [CommandUnknownOpts, string[]] | null {
  const words = wordsOf(line)
  for (const length of [3, 2, 1]) {
    const name = words.slice(0, length).join(' ')
    const leaf = leaves.find((each) => pathOf(each) === `tabscope ${name}`)
    if (leaf !== undefined) return [leaf, words.slice(length)]
  }
  const [first] = words
  const group = leaves.find(
    (leaf) =>
      leaf.parent?.parent && leaf.parent.name() === first && impliedBy(leaf.parent) === leaf,
  )
  return group ? [group, words.slice(1)] : null
}

const guideFiles = globSync('resources/docs/*.md').filter(
  (file) => generatedFiles[file] === undefined,
)

test.each(['README.md', ...guideFiles, ...globSync('resources/skills/*/*.md')])(
  '%s contains valid command lines',
  (file) => {
    const lines = readFileSync(path.resolve(file), 'utf8').matchAll(/^tabscope (?<line>.+)$/gm)
    for (const { groups } of lines) {
      const line = (groups?.['line'] ?? '').replace(/ &$/, '').replaceAll('"', "'")
      const found = commandOf(line)
      expect(found, line).not.toBeNull()
      if (found === null) continue
      const [leaf, rest] = found
      const { operands, unknown } = parsed(leaf, rest)
      expect({ line, unknown }).toEqual({ line, unknown: [] })
      const required = leaf.registeredArguments.filter((each) => each.required).length
      expect(operands.length, line).toBeGreaterThanOrEqual(required)
    }
  },
)

test.each(Object.entries(generatedFiles))(
  '%s is up to date: otherwise run `npm run docs`',
  (name, text) => {
    expect(readFileSync(path.resolve(name), 'utf8').replaceAll('\r\n', '\n')).toBe(text)
  },
)
