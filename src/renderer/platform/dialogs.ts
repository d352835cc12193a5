import { create } from 'zustand'

/** Dialogs that any page can ask for, one at a time. */
export type OpenDialog = 'about' | 'licences' | 'clear'

export const useOpenDialog = create<{ readonly asked: OpenDialog | null }>(() => ({ asked: null }))

export function openDialog(asked: OpenDialog): void {
  useOpenDialog.setState({ asked })
}

export function closeDialog(): void {
  useOpenDialog.setState({ asked: null })
}
