import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLaunchRequests } from '#hosts/electron/launch/launch-requests.ts'

const log = path.resolve('/logs/a.tabscope')

function open() {
  const taken: unknown[] = []
  const launchRequests = createLaunchRequests()
  return {
    taken,
    launchRequests,
    deliver: () => launchRequests.deliverTo((all) => taken.push(all)),
  }
}

describe('a launch request', () => {
  it('waits until the app can handle it', () => {
    const { taken, launchRequests, deliver } = open()
    launchRequests.add({ files: [log], link: 'tabscope://log/1' })
    launchRequests.add({ files: [], link: 'tabscope://log/2' })
    launchRequests.add({ files: [log], link: null })
    deliver()
    expect(taken).toEqual([{ files: [log, log], link: 'tabscope://log/2' }])
    launchRequests.add({ files: [log, 'https://example.com/b.har', '/etc/passwd'], link: null })
    expect(taken[1]).toEqual({ files: [log], link: null })
    launchRequests.add({ files: [], link: `tabscope:${'x'.repeat(100_000)}` })
    expect(JSON.stringify(taken[2]).length).toBeLessThan(400)
  })

  it('is not delivered if nothing was requested', () => {
    const { taken, launchRequests, deliver } = open()
    launchRequests.add({ files: [], link: null })
    deliver()
    expect(taken).toEqual([])
  })

  it.each([
    undefined,
    null,
    'a.tabscope',
    [log],
    {},
    { files: log },
    { files: [1] },
    { files: [{ path: log }], link: 12 },
    { link: ['tabscope://log/1'] },
  ])('only shows the window when another start passes %j', (request) => {
    const { taken, launchRequests, deliver } = open()
    deliver()
    launchRequests.addForeign(request)
    expect(taken).toEqual([{ files: [], link: null }])
    launchRequests.addForeign({ files: [log, 'https://a/b.tabscope'], link: 'tabscope://log/1' })
    expect(taken[1]).toEqual({ files: [log], link: 'tabscope://log/1' })
  })
})

describe('another start during launch or quit', () => {
  const nothing = { files: [], link: null }

  it('shows a window once the app is ready', () => {
    const { taken, launchRequests, deliver } = open()
    launchRequests.addForeign({})
    deliver()
    expect(taken).toEqual([nothing])
    launchRequests.addEmpty()
    expect(taken).toEqual([nothing, nothing])
  })

  it('is dropped while the app quits', () => {
    const { taken, launchRequests, deliver } = open()
    launchRequests.add({ files: [log], link: 'tabscope://log/1' })
    launchRequests.end()
    deliver()
    launchRequests.addForeign({ files: [log], link: null })
    expect(taken).toEqual([])
  })
})
