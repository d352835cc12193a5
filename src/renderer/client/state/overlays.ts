import { create } from 'zustand'

interface PaletteState {
  readonly shown: boolean
  /** Runs after the palette has closed and the focus is restored. */
  readonly next: (() => void) | null
}

/** Whether the palette is open. Its content is local state of the component. */
export const usePalette = create<PaletteState>(() => ({ shown: false, next: null }))

export function togglePalette(): void {
  usePalette.setState(({ shown }) => ({ shown: !shown, next: null }))
}

/** Closes the palette. `next` then runs on the page below. A second call does not replace `next`. */
export function closePalette(next: (() => void) | null = null): void {
  usePalette.setState(({ shown }) => (shown ? { shown: false, next } : {}))
}

/** Called when the focus is restored. Runs the pending action. */
export function paletteClosed(): void {
  const { next } = usePalette.getState()
  usePalette.setState({ next: null })
  next?.()
}

/** Dialogs that any page can open, one at a time. */
export type OpenDialog = 'about' | 'licences' | 'messages' | 'keys'

export const useOpenDialog = create<{ readonly open: OpenDialog | null }>(() => ({ open: null }))

export function openDialog(name: OpenDialog): void {
  useOpenDialog.setState({ open: name })
}

export function closeDialog(): void {
  useOpenDialog.setState({ open: null })
}
