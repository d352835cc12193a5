import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { FromEngine } from '#hosts/electron/engine/messages.ts'
import { openHandedOver } from '#hosts/electron/handed-over/handed-over.ts'
import { createOnceMore } from '#hosts/electron/handed-over/once-more.ts'
import { createRemoteDialogs } from '#hosts/electron/engine-process/remote-ports.ts'

const log = path.resolve('/logs/a.tabscope')

describe('what is handed to the app', () => {
  it('waits until there is a page for it', () => {
    const taken: unknown[] = []
    const handedOver = openHandedOver()
    handedOver.take({ files: [log], link: 'tabscope://log/1' })
    handedOver.take({ files: [], link: 'tabscope://log/2' })
    handedOver.take({ files: [log], link: null })
    handedOver.to((handed) => taken.push(handed))
    expect(taken).toEqual([{ files: [log, log], link: 'tabscope://log/2' }])
    handedOver.take({ files: [log, 'https://example.com/b.har', '/etc/passwd'], link: null })
    expect(taken[1]).toEqual({ files: [log], link: null })
    handedOver.take({ files: [], link: `tabscope:${'x'.repeat(100_000)}` })
    expect(JSON.stringify(taken[2]).length).toBeLessThan(400)
  })

  it('is nothing where nothing was handed over', () => {
    const taken: unknown[] = []
    const handedOver = openHandedOver()
    handedOver.take({ files: [], link: null })
    handedOver.to((handed) => taken.push(handed))
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
  ])('is nothing but a wish to see the app when another start hands over %j', (handed) => {
    const taken: unknown[] = []
    const handedOver = openHandedOver()
    handedOver.to((all) => taken.push(all))
    handedOver.takeUnknown(handed)
    expect(taken).toEqual([{ files: [], link: null }])
    handedOver.takeUnknown({ files: [log, 'https://a/b.tabscope'], link: 'tabscope://log/1' })
    expect(taken[1]).toEqual({ files: [log], link: 'tabscope://log/1' })
  })
})

describe('another start that comes at the wrong moment', () => {
  const nothing = { files: [], link: null }

  it('gets a window where there is nobody yet to open one', () => {
    const taken: unknown[] = []
    const handedOver = openHandedOver()
    handedOver.takeUnknown({})
    handedOver.to((handed) => taken.push(handed))
    expect(taken).toEqual([nothing])
    handedOver.wanted()
    expect(taken).toEqual([nothing, nothing])
  })

  it('is left to the next Tabscope when this one is about to end, and what it began with is not', () => {
    const taken: unknown[] = []
    const later: unknown[] = []
    const handedOver = openHandedOver()
    handedOver.take({ files: [log], link: 'tabscope://log/1' })
    handedOver.endWith((handed) => later.push(handed))
    handedOver.to((handed) => taken.push(handed))
    expect([taken, later]).toEqual([[], []])
    handedOver.takeUnknown({ files: [log], link: null })
    handedOver.wanted()
    expect([taken, later]).toEqual([[], [{ files: [log], link: null }, nothing]])
  })

  it('has it started once more with what was handed over, and with a window', () => {
    const begun: string[][] = []
    const started = ['.', '--no-sandbox', '--data', '/d', '--hidden', '--', 'b.har', 'tabscope:x']
    const onceMore = createOnceMore(started, (words) => begun.push(words))
    onceMore.start()
    expect(begun).toEqual([])
    onceMore.want({ files: [log], link: 'tabscope://log/1' })
    onceMore.want({ files: [log], link: '--inspect' })
    onceMore.start()
    onceMore.start()
    const own = ['.', '--no-sandbox', '--data', '/d', 'b.har']
    expect(begun).toEqual([[...own, log, log]])
    onceMore.want({ files: [], link: 'tabscope://delivery/12' })
    onceMore.want(nothing)
    onceMore.start()
    expect(begun[1]).toEqual([...own, 'tabscope://delivery/12'])
  })
})

describe('dialogs that main shows', () => {
  it('gives each question its own answer, in whatever order', async () => {
    const sent: FromEngine[] = []
    const dialogs = createRemoteDialogs((message) => sent.push(FromEngine.parse(message)))
    const saved = dialogs.save('a.tabscope')
    const opened = dialogs.open()
    expect(sent).toEqual([
      { kind: 'ask-save', id: 1, name: 'a.tabscope' },
      { kind: 'ask-open', id: 2 },
    ])
    dialogs.answer(2, null)
    dialogs.answer(3, '/nobody asked')
    dialogs.answer(1, log)
    expect(await Promise.all([saved, opened])).toEqual([log, null])
  })
})
