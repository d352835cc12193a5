import type { Page } from 'playwright-core'

/** The files that the user selects in the system's dialogs; if missing, the dialog is canceled. */
export interface Chosen {
  readonly open?: string
  readonly save?: string
}

export interface Shown {
  readonly kind: 'open' | 'save'
  /** False if it was not modal to a window. */
  readonly overWindow: boolean
  /** As JSON. */
  readonly options: string
}

export interface AppUnderTest {
  /** The first window, of the interface. Rejects with the output if the app ends before. */
  window(): Promise<Page>
  /** The next window that it opens. Call it before the window opens. */
  nextWindow(): Promise<Page>
  /** Closes a window like its close button. */
  closeWindow(page: Page): Promise<void>
  menuIds(): Promise<readonly string[]>
  chooseInMenu(id: string): Promise<void>
  lastTitle(): Promise<string>
  /** Resolves once the interface window was brought to the front. */
  cameForward(): Promise<void>
  dialogs(): Promise<readonly Shown[]>
  /** URLs that were passed to the system's browser, which opens none of them. */
  openedOutside(): Promise<readonly string[]>
  output(): string
  /** Resolves with the exit code, or with -1 if a signal ended it. */
  readonly exited: Promise<number>
  /** Quits it like the user. Resolves with the exit code. */
  quit(): Promise<number>
  kill(): Promise<void>
}

export interface Binary {
  /** The origin of its pages. */
  readonly interfaceAt: string
  start(args: readonly string[], chosen?: Chosen): Promise<AppUnderTest>
  /** Starts it for a run that ends by itself, without a window. */
  run(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }>
  close(): Promise<void>
}

/** Tests that both pass. They are registered where this is called, and use the binary while they run. */
export type Specs = (binary: () => Binary) => void
