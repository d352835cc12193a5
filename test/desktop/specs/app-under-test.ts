import type { Page } from 'playwright-core'

/** What the user chooses in the system's dialogs for files; absent: nothing, they are left without a choice. */
export interface Chosen {
  readonly open?: string
  readonly save?: string
}

/** A dialog for files that was shown. */
export interface Shown {
  readonly kind: 'open' | 'save'
  /** False: it was not modal to a window. */
  readonly overWindow: boolean
  /** As JSON. */
  readonly options: string
}

/** The built app as it runs, under the double or in Electron itself: what the specs may ask of either. */
export interface AppUnderTest {
  /** The first window: that of the interface. Rejects with what was written when the app ends before. */
  window(): Promise<Page>
  /** The next window that it opens: to be asked for before. */
  nextWindow(): Promise<Page>
  /** Closes a window as its button does. */
  closeWindow(page: Page): Promise<void>
  /** Ids of the items of the application menu. */
  menuIds(): Promise<readonly string[]>
  /** The user chooses the item with this id. */
  chooseInMenu(id: string): Promise<void>
  /** What stands in the title bar of the window opened last. */
  lastTitle(): Promise<string>
  /** Resolves once the interface's window was brought forward. */
  cameForward(): Promise<void>
  /** The dialogs for files so far. */
  dialogs(): Promise<readonly Shown[]>
  /** Addresses that were handed to the system's browser, which opens none of them. */
  openedOutside(): Promise<readonly string[]>
  /** All that was written to stdout and stderr so far. */
  output(): string
  /** Resolves with the exit code when it has ended; -1 when a signal did that. */
  readonly exited: Promise<number>
  /** As the user quits it. Resolves with the exit code. */
  quit(): Promise<number>
  /** Ends it by force where it still runs. */
  kill(): Promise<void>
}

/** The double, or an Electron that was found. */
export interface Binary {
  /** Where its pages are, up to the path. */
  readonly interfaceAt: string
  /** Starts the built app of this checkout. */
  start(args: readonly string[], chosen?: Chosen): Promise<AppUnderTest>
  /** Starts it where it is to end by itself, without a window. */
  run(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }>
  /** Ends whatever still runs. */
  close(): Promise<void>
}

/** Tests that both pass: they are registered where this is called, and use the binary while they run. */
export type Specs = (binary: () => Binary) => void
