import { EventEmitter } from 'node:events'
import { assertReady, PreventableEvent } from './app.ts'
import { onAction } from './actions.ts'

interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Display {
  readonly id: number
  readonly bounds: Rectangle
  readonly workArea: Rectangle
  readonly scaleFactor: number
}

/** Work areas as `x y width height` with optional scale, separated by `;`. The first is the primary display. */
let displays = parse(process.env['DOUBLE_DISPLAYS'] ?? '0 0 1920 1080')

function parse(text: string): Display[] {
  return text.split(';').map((each, index) => {
    const [x = 0, y = 0, width = 0, height = 0, scaleFactor = 1] = each
      .trim()
      .split(' ')
      .map(Number)
    const workArea = { x, y, width, height }
    return { id: index + 1, bounds: workArea, workArea, scaleFactor }
  })
}

class Screen extends EventEmitter {
  override on(name: string, listener: (...args: unknown[]) => void): this {
    assertReady('screen')
    return super.on(name, listener)
  }

  getAllDisplays(): Display[] {
    assertReady('screen')
    return [...displays]
  }

  getPrimaryDisplay(): Display {
    assertReady('screen')
    const [primary] = displays
    if (primary === undefined) throw new Error('There is no display')
    return primary
  }
}

export const screen = new Screen()

/** Simulates that a display is unplugged, or changes its position, size or scale. */
onAction('displays', ({ areas }) => {
  const before = displays
  displays = parse(String(areas))
  const gone = before.find(({ id }) => !displays.some((display) => display.id === id))
  if (gone !== undefined) screen.emit('display-removed', new PreventableEvent(), gone)
  for (const display of displays) {
    const was = before.find(({ id }) => id === display.id)
    const metrics = was === undefined ? [] : changedFrom(was, display)
    if (metrics.length > 0)
      screen.emit('display-metrics-changed', new PreventableEvent(), display, metrics)
  }
})

function changedFrom(was: Display, now: Display): string[] {
  const isOther = JSON.stringify(was.bounds) !== JSON.stringify(now.bounds)
  return [
    ...(isOther ? ['bounds', 'workArea'] : []),
    ...(was.scaleFactor === now.scaleFactor ? [] : ['scaleFactor']),
  ]
}
