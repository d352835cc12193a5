import { create } from 'zustand'

interface PaletteState {
  readonly shown: boolean
  /** Done once it is closed and the focus is back where it was. */
  readonly next: (() => void) | null
}

/** Whether the palette is open. What is in it is its own, and goes with it. */
export const usePalette = create<PaletteState>(() => ({ shown: false, next: null }))

export function togglePalette(): void {
  usePalette.setState(({ shown }) => ({ shown: !shown, next: null }))
}

/** Closes it; `next` is done on the page beneath, as if the palette had never been there. What was chosen is not taken back by a second close. */
export function closePalette(next: (() => void) | null = null): void {
  usePalette.setState(({ shown }) => (shown ? { shown: false, next } : {}))
}

/** The focus is back. */
export function paletteClosed(): void {
  const { next } = usePalette.getState()
  usePalette.setState({ next: null })
  next?.()
}
