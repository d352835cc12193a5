import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readArguments } from '#hosts/electron/launch/arguments.ts'
import { createLaunchRequests, type LaunchRequest } from '#hosts/electron/launch/launch-requests.ts'
import { addressOfLink } from '#hosts/electron/launch/links.ts'
import { randomJson, seeded } from '#test/support/random-json.ts'

// Untrusted: anyone who can open a link or start the app again controls this input.

const PIECES = [
  'tabscope:',
  'TABSCOPE:',
  '//',
  '/',
  'delivery',
  'log',
  '1',
  '12',
  '0',
  '9007199254740993',
  '..',
  '%2e%2e',
  '#/settings',
  '?x=1',
  '@',
  ':80',
  '\\',
  '\n',
  '\0',
  ' ',
  '"',
  '--data',
  '--port=1',
  '--remote-debugging-port=9222',
  'file:///etc/passwd.har',
  'https://example.com/a.tabscope',
  '/tmp/a.har',
  '\u202e',
  '１',
  'x'.repeat(400),
] as const

const ROUNDS = 20_000
const random = seeded(20)
const upTo = (most: number): number => Math.floor(random() * (most + 1))
const piece = (): string => PIECES[upTo(PIECES.length - 1)] ?? ''
const LINK_PIECES = ['delivery/', 'log/', '/delivery/', '1', '12', '0', '/', '#', '?', '..', ' ']
const link = (): string =>
  `tabscope://${Array.from({ length: 1 + upTo(3) }, () => LINK_PIECES[upTo(10)]).join('')}`
const word = (): string => Array.from({ length: upTo(7) }, piece).join('')

describe('untrusted input', () => {
  it('a link either leads to the exact delivery or log that it names, or is rejected', () => {
    let followed = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const given = round % 2 === 0 ? word() : link()
      const address = addressOfLink(given)
      if (address === null) continue
      followed += 1
      const [, log, delivery] =
        /^#\/(?:logs\/(\d+))?\/?(?:deliveries\/(\d+))?$/.exec(address) ?? expect.fail(address)
      const parts = [log && `log/${log}`, delivery && `delivery/${delivery}`].filter(Boolean)
      expect(given.replace(/^tabscope/i, 'tabscope')).toBe(`tabscope://${parts.join('/')}`)
    }
    // Otherwise the test would not have covered anything.
    expect(followed).toBeGreaterThan(100)
  })

  it('arguments result in a folder, a port, event logs and a link, or in an error message', () => {
    for (let round = 0; round < ROUNDS / 10; round += 1) {
      const args = Array.from({ length: upTo(5) }, word)
      try {
        const {
          dataDir,
          listenerPort,
          files,
          link: followed,
        } = readArguments(args, path.resolve('/here'))
        expect(dataDir === undefined || path.isAbsolute(dataDir)).toBe(true)
        expect(listenerPort ?? 0).toBeLessThanOrEqual(65_535)
        expect(files.filter((file) => !path.isAbsolute(file))).toEqual([])
        expect(followed === null || /^tabscope:/i.test(followed)).toBe(true)
      } catch (error) {
        expect(String(error)).toMatch(/^Error: --(?:data|port) requires a \w+/)
      }
    }
  })

  it('a second start passes files and a link, or nothing', () => {
    const taken: LaunchRequest[] = []
    const launchRequests = createLaunchRequests()
    launchRequests.deliverTo((request) => taken.push(request))
    for (let round = 0; round < 2_000; round += 1) {
      const files = Array.from({ length: upTo(3) }, word)
      launchRequests.addForeign(randomJson(random))
      launchRequests.addForeign({ files, link: upTo(1) === 0 ? word() : randomJson(random) })
      launchRequests.addForeign({ files: randomJson(random), link: randomJson(random) })
    }
    expect(taken.length).toBeGreaterThan(1_000)
    for (const { files, link } of taken) {
      expect(files.filter((file) => !path.isAbsolute(file))).toEqual([])
      expect(link === null || link.length <= 300).toBe(true)
    }
  })
})
