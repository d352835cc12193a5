import type { Page } from 'playwright-core'

/** The files that the user selects in the system's dialogs; if missing, the dialog is canceled. */
export interface Chosen {
  readonly open?: string
  readonly save?: string
}

/** A file dialog that was shown. */
export interface Shown {
  readonly kind: 'open' | 'save'
  /** False if it was not modal to a window. */
  readonly overWindow: boolean
  /** As JSON. */
  readonly options: string
}

/** The running app, under the double or in Electron itself, as far as specs can use both. */
export interface AppUnderTest {
  /** The first window, of the interface. Rejects with the output if the app ends before. */
  window(): Promise<Page>
  /** The next window that it opens. Call it before the window opens. */
  nextWindow(): Promise<Page>
  /** Closes a window like its close button. */
  closeWindow(page: Page): Promise<void>
  /** IDs of the items of the application menu. */
  menuIds(): Promise<readonly string[]>
  /** Selects the item with this ID. */
  chooseInMenu(id: string): Promise<void>
  /** The title of the window that was opened last. */
  lastTitle(): Promise<string>
  /** Resolves once the interface window was brought to the front. */
  cameForward(): Promise<void>
  /** The file dialogs shown so far. */
  dialogs(): Promise<readonly Shown[]>
  /** URLs that were passed to the system's browser, which opens none of them. */
  openedOutside(): Promise<readonly string[]>
  /** The output on stdout and stderr so far. */
  output(): string
  /** Resolves with the exit code, or with -1 if a signal ended it. */
  readonly exited: Promise<number>
  /** Quits it like the user. Resolves with the exit code. */
  quit(): Promise<number>
  /** Ends it by force if it is still running. */
  kill(): Promise<void>
}

/** The double, or an installed Electron. */
export interface Binary {
  /** The origin of its pages. */
  readonly interfaceAt: string
  /** Starts the built app of this checkout. */
  start(args: readonly string[], chosen?: Chosen): Promise<AppUnderTest>
  /** Starts it for a run that ends by itself, without a window. */
  run(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }>
  /** Ends everything that is still running. */
  close(): Promise<void>
}

/** Tests that both pass. They are registered where this is called, and use the binary while they run. */
export type Specs = (binary: () => Binary) => void
