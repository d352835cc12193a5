import type { Log } from '#engine/platform/ports.ts'
import type { EngineView } from './engine/view.ts'
import type { InterfaceWindow } from './window/interface-window.ts'
import type { Ipc } from './ipc.ts'
import type { Quitting } from './quitting.ts'

/** What each part of the desktop app has access to. */
export interface DesktopHost {
  /** The engine, seen as a client: settings, listener, tunnel and new deliveries. */
  readonly view: EngineView
  readonly window: InterfaceWindow
  readonly ipc: Ipc
  readonly quitting: Pick<Quitting, 'hasBegun'>
  readonly log: Log
  /** Absolute path of the folder that holds the store. */
  readonly dataDir: string
}

/** The `appId` of the package. Windows uses it to assign notifications and login items to the app. */
export const APP_ID = 'dev.tabscope.desktop'
