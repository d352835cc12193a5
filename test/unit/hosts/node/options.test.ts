import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { dataDirOf, parse, secretOf, secretOptions, wholeNumber } from '#hosts/node/options.ts'
import { UsageError } from '#hosts/node/usage-error.ts'

describe('parse', () => {
  it('takes the common options, those of the command, and its words', () => {
    const { values, positionals } = parse(
      ['all', '--data', 'd', '--json', '--secret=a b'],
      secretOptions,
      1,
    )
    expect(positionals).toEqual(['all'])
    expect({ ...values }).toEqual({ data: 'd', json: true, secret: 'a b' })
  })

  it.each([
    [['--unheard-of']],
    [['--json=yes']],
    [['--data']],
    [['--secret', '--json']],
    [['one', 'two']],
    [['-x']],
  ])('refuses %j', (args) => {
    expect(() => parse(args, secretOptions, 1)).toThrow(UsageError)
  })

  it('names the word that is too many', () => {
    expect(() => parse(['one', 'two'], {}, 1)).toThrow('"two" is one word too many')
  })

  it('takes what follows -- for words', () => {
    expect(parse(['--', '--json'], {}, 1).positionals).toEqual(['--json'])
  })
})

describe('wholeNumber', () => {
  it('takes the bounds and what is between them', () => {
    expect(['0', '4780', '65535'].map((text) => wholeNumber('port', text, 0, 65535))).toEqual([
      0, 4780, 65535,
    ])
    expect(wholeNumber('port', undefined, 0, 1)).toBeUndefined()
  })

  it.each(['', ' ', '-1', '65536', '1.5', '1e3', '0x10', '+1', ' 1', 'NaN', '９'])(
    'refuses %j, and says what it takes',
    (text) => {
      expect(() => wholeNumber('port', text, 0, 65535)).toThrow(
        new UsageError(`--port needs a whole number from 0 to 65535, not "${text}".`),
      )
    },
  )
})

describe('secretOf', () => {
  it('takes a secret as it is given, or from the environment', () => {
    vi.stubEnv('HOOK_SECRET', ' from env ')
    expect(secretOf({ secret: ' spaces stay ' })).toBe(' spaces stay ')
    expect(secretOf({ 'secret-env': 'HOOK_SECRET' })).toBe(' from env ')
    expect(secretOf({})).toBeUndefined()
    vi.unstubAllEnvs()
  })

  it('refuses both, an empty one, and a variable that is not set', () => {
    expect(() => secretOf({ secret: 'a', 'secret-env': 'B' })).toThrow('not both')
    expect(() => secretOf({ secret: '' })).toThrow('--secret is empty')
    expect(() => secretOf({ 'secret-env': 'TABSCOPE_NOT_SET' })).toThrow(
      'The environment variable TABSCOPE_NOT_SET is not set.',
    )
    vi.stubEnv('HOOK_SECRET', '')
    expect(() => secretOf({ 'secret-env': 'HOOK_SECRET' })).toThrow(UsageError)
    vi.unstubAllEnvs()
  })
})

describe('dataDirOf', () => {
  it('is absolute, and never empty', () => {
    expect(dataDirOf('here')).toBe(path.resolve('here'))
    expect(path.isAbsolute(dataDirOf(undefined))).toBe(true)
    expect(() => dataDirOf('')).toThrow(UsageError)
  })
})
