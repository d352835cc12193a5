import { describe, expect, it } from 'vitest'
import { createCommandDispatch } from '#hosts/electron/menu/menu-items.ts'

function start() {
  const sent: string[] = []
  let now = 1000
  const wanted = createCommandDispatch(
    (name) => void sent.push(name),
    () => now,
  )
  return { wanted, sent, pass: (ms: number) => void (now += ms) }
}

describe('a command that was asked for', () => {
  it('goes to the page that can do it', () => {
    const { wanted, sent } = start()
    wanted.bind(['pin'])
    wanted.run('pin')
    expect(sent).toEqual(['pin'])
  })

  it('waits for a page that can, and is done once', () => {
    const { wanted, sent } = start()
    wanted.run('logs-import')
    wanted.bind(['help'])
    expect(sent).toEqual([])
    wanted.bind(['help', 'logs-import'])
    wanted.bind(['help', 'logs-import'])
    expect(sent).toEqual(['logs-import'])
  })

  it('is not done later by a page that is there and cannot', () => {
    const { wanted, sent } = start()
    wanted.bind(['help'])
    wanted.run('pin')
    wanted.bind(['help', 'pin'])
    expect(sent).toEqual([])
  })

  it('is forgotten for another, and when it has waited too long', () => {
    const { wanted, sent, pass } = start()
    wanted.run('logs-import')
    wanted.run('help')
    wanted.bind(['help', 'logs-import'])
    expect(sent).toEqual(['help'])
    wanted.bind(null)
    wanted.run('help')
    pass(20_000)
    wanted.bind(['help'])
    expect(sent).toEqual(['help'])
  })
})
