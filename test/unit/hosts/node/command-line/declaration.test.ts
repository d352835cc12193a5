import { expect, test } from 'vitest'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { declare } from '#hosts/node/command-line/declaration.ts'

const example = ['Add one', 'add x'] as const

function add(usage: string): CommandUnknownOpts {
  return declare('add', {
    does: 'Add one',
    examples: [example],
    call: 'forwards.add',
    usage,
    print: () => undefined,
  })
}

/** The values of the options, or what is refused. */
function parsed(usage: string, ...words: string[]): unknown {
  const command = add(usage)
  try {
    command.parseOptions(words)
    return command.opts()
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

test('a field is found by the name of its option, without its unit, and parsed as the schema says', () => {
  expect(parsed('--retries <count>', '--retries', '20')).toEqual({ retries: 20 })
  expect(parsed('--retries <count>', '--retries', '21')).toBe(
    '--retries requires a whole number from 0 to 20, not "21".',
  )
  expect(parsed('--timeout <duration>', '--timeout', '1.5s')).toEqual({ timeout: 1500 })
  expect(parsed('--timeout <duration>', '--timeout', '3m')).toContain('from 1ms to 2m')
  expect(parsed('--on-script-failure <action>', '--on-script-failure', 'holt')).toBe(
    '--on-script-failure requires one of continue, hold, not "holt". Did you mean hold?',
  )
  expect(parsed('--types <types>', '--types', 'A, B')).toEqual({ types: ['A', 'B'] })
})

test('help has the descriptions of the schema, and a usage that is no field is a mistake of ours', () => {
  expect(add('<url> --retries <count>').helpInformation()).toMatch(
    /url +URL to forward deliveries to\n[^]*--retries <count> +Retries of a failed attempt, /,
  )
  expect(() => add('--retry <count>')).toThrow('--retry <count> is no field of the call.')
})
