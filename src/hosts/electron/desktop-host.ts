import type { Log } from '#engine/platform/ports.ts'
import type { EngineView } from './engine/view.ts'
import type { InterfaceWindow } from './window/interface-window.ts'
import type { Ipc } from './ipc.ts'
import type { Quitting } from './quitting.ts'

export interface DesktopHost {
  readonly view: EngineView
  readonly window: InterfaceWindow
  readonly ipc: Ipc
  readonly quitting: Pick<Quitting, 'hasBegun'>
  readonly log: Log
  /** Absolute; it holds the store. */
  readonly dataDir: string
}

/** As in the package. Windows uses it to assign notifications to the app. */
export const APP_ID = 'dev.tabscope.desktop'
