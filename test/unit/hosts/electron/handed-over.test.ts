import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { FromEngine } from '#hosts/electron/engine/messages.ts'
import { openHandedOver } from '#hosts/electron/handed-over/handed-over.ts'
import { createRemoteDialogs } from '#hosts/electron/engine-process/remote-dialogs.ts'

const log = path.resolve('/logs/a.tabscope')

describe('what is handed to the app', () => {
  it('waits until there is somebody to take it', () => {
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
