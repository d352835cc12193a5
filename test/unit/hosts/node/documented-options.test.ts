import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import type { ParseArgsConfig } from 'node:util'
import { commands } from '#hosts/node/legacy/by-name.ts'
import { redactedValues, redactionLimits } from '#contract/logs.ts'
import { redactedNote } from '#engine/event-log/export/head.ts'
import { commandNames, usageOf } from '#hosts/node/usage.ts'

class Looked extends Error {}
const looked: { options: readonly string[] } = vi.hoisted(() => ({ options: [] }))

// What a command takes is what it hands to `parse`; it goes no further here.
vi.mock('#hosts/node/options.ts', async (original) => ({
  ...(await original<object>()),
  parse: (_args: string[], options: NonNullable<ParseArgsConfig['options']>) => {
    looked.options = Object.keys(options)
    throw new Looked()
  },
}))

/** The words of each command behind which its options are read. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  tunnel: [
    'status',
    'open',
    'close',
    'check',
    'sizes',
    'history',
    'providers',
    'copied',
    'dismiss',
  ],
  logs: ['list', 'show', 'remove', 'formats'],
  integration: ['set', 'list', 'show', 'check', 'remove'],
  token: ['list', 'show', 'refresh', 'revoke-local', 'label', 'remove'],
  runs: ['list', 'show'],
}

/** Of all commands, as both texts say above or below their lists. */
const common = new Set(['data', 'data-dir', 'json'])

async function takenBy(name: string): Promise<string[]> {
  const run = await commands[name]?.()
  const taken = new Set<string>()
  for (const verb of verbs[name] ?? ['']) {
    looked.options = []
    await expect(run?.(verb === '' ? [] : [verb])).rejects.toThrow(Looked)
    for (const option of looked.options) taken.add(option)
  }
  return sorted(taken)
}

function named(text: string): string[] {
  return sorted(
    new Set(
      [
        ...text
          .replaceAll(/(?<![\w-])-o(?!\w)/g, '--output')
          .matchAll(/(?<![\w-])--([a-z][a-z-]*)/g),
      ].map(([, name = '']) => name),
    ),
  )
}

function sorted(names: Iterable<string>): string[] {
  return [...names].filter((name) => !common.has(name)).toSorted()
}

/** The cells of the README's table that begin with a command. */
function readmeOf(name: string): string {
  const readme = readFileSync(path.resolve('README.md'), 'utf8')
  const rows = readme.split('\n').filter((line) => line.startsWith(`| \`${name} `))
  return rows.map((row) => row.replaceAll(String.raw`\|`, '/').split(' | ')[0]).join('\n')
}

test.for(Object.keys(commands))(
  '%s: the README and its help name every option there is',
  async (name) => {
    const taken = await takenBy(name)
    expect({ help: named(usageOf(name) ?? ''), readme: named(readmeOf(name)) }).toEqual({
      help: taken,
      readme: taken,
    })
  },
)

test('the help lists the commands there are, and the one that npm start gives', () => {
  expect(commandNames.toSorted()).toEqual([...Object.keys(commands), 'start'].toSorted())
})

test('what redaction replaces, and what it cannot, is said in the same words everywhere', () => {
  const words = [...Object.values(redactedValues).map(({ values }) => values), redactionLimits]
  const readme = readFileSync(path.join(import.meta.dirname, '../../../../README.md'), 'utf8')
  for (const text of [readme.replaceAll('\n', ' '), usageOf('export') ?? '', redactedNote([])]) {
    for (const each of words) expect(text).toContain(each)
  }
  expect(redactedNote(['names'])).not.toContain(redactedValues.names.values)
})
