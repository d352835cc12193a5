import { describe, expect, it, vi } from 'vitest'
import type { Log } from '#engine/platform/ports.ts'
import { areLinksRegistered, addressOfLink } from '#hosts/electron/launch/links.ts'
import { createLaunchHandler } from '#hosts/electron/launch/launch-requests.ts'

describe('a link', () => {
  it.each([
    ['tabscope://delivery/12', '#/deliveries/12'],
    ['TabScope://delivery/1', '#/deliveries/1'],
    ['tabscope://log/3', '#/logs/3'],
    ['tabscope://log/3/delivery/12', '#/logs/3/deliveries/12'],
    ['tabscope://delivery/9007199254740991', '#/deliveries/9007199254740991'],
  ])('leads from %s to %s', (link, address) => {
    expect(addressOfLink(link)).toBe(address)
  })

  it.each([
    '',
    'tabscope:',
    'tabscope:delivery/12',
    'tabscope:/delivery/12',
    'tabscope:///delivery/12',
    'tabscope://delivery',
    'tabscope://delivery/',
    'tabscope://delivery/12/',
    'tabscope://delivery/12//',
    'tabscope://delivery/12/34',
    'tabscope://delivery/0',
    'tabscope://delivery/012',
    'tabscope://delivery/-1',
    'tabscope://delivery/1.5',
    'tabscope://delivery/1e3',
    'tabscope://delivery/0x1',
    'tabscope://delivery/١٢',
    'tabscope://delivery/9007199254740992',
    'tabscope://delivery/99999999999999999999',
    'tabscope://Delivery/12',
    'tabscope://DELIVERY/12',
    'tabscope://deliveries/12',
    'tabscope://log/3/deliveries/12',
    'tabscope://log/3/delivery',
    'tabscope://log/3/log/4',
    'tabscope://log/3/delivery/0',
    'tabscope://log:80/3',
    'tabscope://user@log/3',
    'tabscope://log/3?filter=x',
    'tabscope://log/3#/settings',
    'tabscope://log/%33',
    'tabscope://log/3%2f..',
    'tabscope://log/../delivery/3',
    'tabscope://log\\3',
    'tabscope://settings',
    'tabscope://app/index.html',
    ' tabscope://log/3',
    'tabscope://log/3 ',
    'tabscope://log/3\n',
    'tabscope://log/3\0',
    'tabscope://log/3\u202E',
    'tabscope://delivery/12" --data /evil',
    'https://delivery/12',
    'file:///delivery/12',
    'javascript:alert(1)',
  ])('is rejected: %j', (link) => {
    expect(addressOfLink(link)).toBeNull()
  })
})

function taker() {
  const imported: (readonly string[])[] = []
  const shown: (string | undefined)[] = []
  const warned: string[] = []
  const log: Log = { info: vi.fn(), warn: (line) => void warned.push(line), error: () => '' }
  const take = createLaunchHandler(
    { importLogs: (paths) => void imported.push(paths) },
    { show: async (url) => void shown.push(url) },
    log,
  )
  return { take, imported, shown, warned }
}

describe('a launch request', () => {
  it('shows the window on the requested page', () => {
    const { take, imported, shown, warned } = taker()
    take({ files: [], link: null })
    take({ files: ['/a.har'], link: null })
    take({ files: [], link: 'tabscope://delivery/7' })
    take({ files: ['/b.har'], link: 'tabscope://log/7' })
    expect(imported).toEqual([['/a.har'], ['/b.har']])
    expect(shown).toEqual([
      undefined,
      'app://tabscope/index.html#/logs',
      'app://tabscope/index.html#/deliveries/7',
      'app://tabscope/index.html#/logs/7',
    ])
    expect(warned).toEqual([])
  })

  it('reports in one line, shortened, which link was rejected, and does not follow it', () => {
    const { take, shown, warned } = taker()
    take({ files: [], link: `tabscope://delivery/12${'x'.repeat(280)}` })
    expect(shown).toEqual([undefined])
    expect(warned).toHaveLength(1)
    expect(warned[0]).toContain('Rejected an invalid link: tabscope://delivery/12xxx')
    expect(warned[0]?.length).toBeLessThan(200)
  })
})

it('are registered by the packages, and by the integration of an AppImage', () => {
  const [none, other] = [() => '', () => 'Tabscope']
  expect(areLinksRegistered(false, false, other)).toBe(false)
  expect(areLinksRegistered(true, false, none)).toBe(true)
  expect(areLinksRegistered(true, true, none)).toBe(false)
  expect(areLinksRegistered(true, true, other)).toBe(true)
})
