import { describe, expect, it } from 'vitest'
import { createCommandDispatch } from '#hosts/electron/menu/menu.ts'

function start() {
  const sent: string[] = []
  let now = 1000
  const dispatch = createCommandDispatch(
    (name) => void sent.push(name),
    () => now,
  )
  return { dispatch, sent, pass: (ms: number) => void (now += ms) }
}

describe('a requested command', () => {
  it('is sent to a page that can run it', () => {
    const { dispatch, sent } = start()
    dispatch.bind(['pin'])
    dispatch.run('pin')
    expect(sent).toEqual(['pin'])
  })

  it('waits for such a page, and runs once', () => {
    const { dispatch, sent } = start()
    dispatch.run('logs-import')
    dispatch.bind(['help'])
    expect(sent).toEqual([])
    dispatch.bind(['help', 'logs-import'])
    dispatch.bind(['help', 'logs-import'])
    expect(sent).toEqual(['logs-import'])
  })

  it('is dropped if the current page cannot run it', () => {
    const { dispatch, sent } = start()
    dispatch.bind(['help'])
    dispatch.run('pin')
    dispatch.bind(['help', 'pin'])
    expect(sent).toEqual([])
  })

  it('is replaced by a later one, and dropped after the time limit', () => {
    const { dispatch, sent, pass } = start()
    dispatch.run('logs-import')
    dispatch.run('help')
    dispatch.bind(['help', 'logs-import'])
    expect(sent).toEqual(['help'])
    dispatch.bind(null)
    dispatch.run('help')
    pass(20_000)
    dispatch.bind(['help'])
    expect(sent).toEqual(['help'])
  })
})
