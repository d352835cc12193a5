import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { tempFolder } from '#test/support/temp-folder.ts'
import { openDesktopMemory } from '#hosts/electron/desktop-memory.ts'
import type { Log } from '#engine/platform/ports.ts'

let folder = ''
const warnings: string[] = []
const log: Log = {
  info: () => undefined,
  warn: (line) => void warnings.push(line),
  error: () => '',
}
beforeEach(() => {
  warnings.length = 0
  folder = tempFolder()
})

describe('the stored state of the desktop app', () => {
  it('is restored at the next start', () => {
    const inner = path.join(folder, 'interface')
    openDesktopMemory(inner, log).remember({ backgroundNoticeShown: true })
    openDesktopMemory(inner, log).remember({ hardwareAcceleration: false })
    expect(openDesktopMemory(inner, log).current).toEqual({
      backgroundNoticeShown: true,
      hardwareAcceleration: false,
    })
    expect(readdirSync(inner)).toEqual(['desktop.json'])
  })

  it.each(['', '{', 'null', '[]', '{"backgroundNoticeShown":7}'])(
    'is empty when the file contains %j',
    (text) => {
      writeFileSync(path.join(folder, 'desktop.json'), text)
      expect(openDesktopMemory(folder, log).current).toEqual({
        backgroundNoticeShown: false,
        hardwareAcceleration: true,
      })
    },
  )

  it('applies to the current run even if it cannot be written', () => {
    const file = path.join(folder, 'file')
    writeFileSync(file, '')
    const memory = openDesktopMemory(file, log)
    memory.remember({ backgroundNoticeShown: true })
    expect(memory.current.backgroundNoticeShown).toBe(true)
    expect(warnings).toHaveLength(1)
  })
})
