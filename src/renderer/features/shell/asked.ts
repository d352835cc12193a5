import { create } from 'zustand'

/** Dialogs that any page can ask for, one at a time. */
export type AskedDialog = 'about' | 'licences' | 'clear'

export const useAsked = create<{ readonly asked: AskedDialog | null }>(() => ({ asked: null }))

export function ask(asked: AskedDialog): void {
  useAsked.setState({ asked })
}

export function closeAsked(): void {
  useAsked.setState({ asked: null })
}
