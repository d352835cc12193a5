import { FocusedWindow } from './focus.ts'
import { onAction } from './actions.ts'

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Shape extends Partial<Rectangle> {
  readonly minWidth?: number
  readonly minHeight?: number
  readonly fullscreen?: boolean
  readonly show?: boolean
}

type State = 'normal' | 'minimized' | 'maximized' | 'full-screen'

const somewhere = { x: 80, y: 60 }
const all = new Set<WindowWithBounds>()

/** Position and size of a window. The double has no window manager: bounds are applied exactly, and the page does not change. */
export class WindowWithBounds extends FocusedWindow {
  #normal: Rectangle
  #state: State
  /** State before it was minimized. */
  #before: State = 'normal'
  readonly #least: { width: number; height: number }

  constructor(shape: Shape) {
    super()
    const { width = 800, height = 600, x = somewhere.x, y = somewhere.y } = shape
    const { minWidth = 0, minHeight = 0 } = shape
    this.#least = { width: minWidth, height: minHeight }
    this.#normal = this.#atLeast({ x, y, width, height })
    this.#state = shape.fullscreen === true ? 'full-screen' : 'normal'
    all.add(this)
    this.on('closed', () => all.delete(this))
  }

  getNormalBounds(): Rectangle {
    return this.#normal
  }

  /** Reported on stderr for tests. */
  setBounds(bounds: Partial<Rectangle>): void {
    this.#normal = this.#atLeast({ ...this.#normal, ...bounds })
    const { x, y, width, height } = this.#normal
    process.stderr.write(`[window] at ${x} ${y} ${width} ${height}\n`)
    this.emit('move')
    this.emit('resize')
  }

  #atLeast(bounds: Rectangle): Rectangle {
    return {
      ...bounds,
      width: Math.max(bounds.width, this.#least.width),
      height: Math.max(bounds.height, this.#least.height),
    }
  }

  isMinimized(): boolean {
    return this.#state === 'minimized'
  }

  isMaximized(): boolean {
    return this.#state === 'maximized'
  }

  isFullScreen(): boolean {
    return this.#state === 'full-screen'
  }

  restore(): void {
    process.stderr.write('[window] restored\n')
    this.#become(this.#before, 'restore')
  }

  /** Also shows the window, as documented. */
  maximize(): void {
    process.stderr.write('[window] maximized\n')
    if (!this.isVisible()) this.show()
    this.#become('maximized', 'maximize')
  }

  minimize(): void {
    if (this.#state === 'minimized') return
    this.#before = this.#state
    this.#become('minimized', 'minimize')
  }

  setFullScreen(full: boolean): void {
    process.stderr.write(`[window] full screen: ${full}\n`)
    this.#become(full ? 'full-screen' : 'normal', `${full ? 'enter' : 'leave'}-full-screen`)
  }

  #become(state: State, event: string): void {
    this.#state = state
    this.emit(event)
    this.emit('resize')
  }
}

/** Actions of the user on the interface's window, which is the first one. */
function first(): WindowWithBounds | undefined {
  return [...all][0]
}

onAction('move-window', ({ x, y, width, height }) =>
  first()?.setBounds({ x: Number(x), y: Number(y), width: Number(width), height: Number(height) }),
)
onAction('minimize-window', () => first()?.minimize())
onAction('maximize-window', () => first()?.maximize())
onAction('restore-window', () => first()?.restore())
