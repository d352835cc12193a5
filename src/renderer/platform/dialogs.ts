import { create } from 'zustand'

/** Dialogs that any page can open, one at a time. */
export type OpenDialog = 'about' | 'licences' | 'clear'

export const useOpenDialog = create<{ readonly open: OpenDialog | null }>(() => ({ open: null }))

export function openDialog(name: OpenDialog): void {
  useOpenDialog.setState({ open: name })
}

export function closeDialog(): void {
  useOpenDialog.setState({ open: null })
}
