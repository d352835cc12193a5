import type { Log } from '#engine/platform/ports.ts'
import type { EngineView } from './engine/view.ts'
import type { InterfaceWindow } from './window/interface-window.ts'
import type { Ipc } from './ipc.ts'
import type { Quitting } from './quitting/quitting.ts'

/** What each part of the desktop app works with. */
export interface DesktopHost {
  /** The engine, as any client sees it: settings, listener, tunnel, what arrives. */
  readonly view: EngineView
  readonly window: InterfaceWindow
  readonly ipc: Ipc
  readonly quitting: Quitting
  readonly log: Log
  /** Absolute path of the folder that holds the store. */
  readonly dataDir: string
}

/** The `appId` of the package: by this Windows knows whose notifications and entries they are. */
export const APP_ID = 'dev.tabscope.desktop'
