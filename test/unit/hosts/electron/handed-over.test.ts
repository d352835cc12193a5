import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { FromEngine } from '#hosts/electron/engine-messages.ts'
import { openHandedOver } from '#hosts/electron/handed-over.ts'
import { createRemoteDialogs } from '#hosts/electron/remote-dialogs.ts'

const log = path.resolve('/logs/a.tabscope')

describe('what is handed to the app', () => {
  it('waits until there is somebody to take it', () => {
    const taken: unknown[] = []
    const handedOver = openHandedOver()
    handedOver.take([log])
    handedOver.to((files) => taken.push(files))
    handedOver.take([log, 'https://example.com/b.har', '/etc/passwd'])
    handedOver.take(['/etc/passwd'])
    expect(taken).toEqual([[log], [log]])
  })

  it.each([
    undefined,
    null,
    'a.tabscope',
    [log],
    {},
    { files: log },
    { files: [1] },
    { files: [{ path: log }] },
  ])('is nothing when another start hands over %j', (handed) => {
    const taken: unknown[] = []
    const handedOver = openHandedOver()
    handedOver.to((files) => taken.push(files))
    handedOver.takeUnknown(handed)
    expect(taken).toEqual([])
    handedOver.takeUnknown({ files: [log, 'file:///b.tabscope'] })
    expect(taken).toEqual([[log]])
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
