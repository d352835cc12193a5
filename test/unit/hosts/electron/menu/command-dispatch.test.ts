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

describe('a requested command', () => {
  it('is sent to a page that can run it', () => {
    const { wanted, sent } = start()
    wanted.bind(['pin'])
    wanted.run('pin')
    expect(sent).toEqual(['pin'])
  })

  it('waits for such a page, and runs once', () => {
    const { wanted, sent } = start()
    wanted.run('logs-import')
    wanted.bind(['help'])
    expect(sent).toEqual([])
    wanted.bind(['help', 'logs-import'])
    wanted.bind(['help', 'logs-import'])
    expect(sent).toEqual(['logs-import'])
  })

  it('is dropped if the current page cannot run it', () => {
    const { wanted, sent } = start()
    wanted.bind(['help'])
    wanted.run('pin')
    wanted.bind(['help', 'pin'])
    expect(sent).toEqual([])
  })

  it('is replaced by a later one, and dropped after the time limit', () => {
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
