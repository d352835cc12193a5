import { useId, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'

interface Combobox {
  /** Whether the list is there to see. */
  readonly shown: boolean
  readonly active: number | null
  /** What the field is to assistive technology. */
  readonly field: {
    readonly role: 'combobox'
    readonly 'aria-autocomplete': 'list'
    readonly 'aria-expanded': boolean
    readonly 'aria-controls': string | undefined
    readonly 'aria-activedescendant': string | undefined
  }
  readonly list: { readonly id: string; readonly role: 'listbox' }
  option(index: number): {
    readonly id: string
    readonly role: 'option'
    readonly 'aria-selected': boolean
    readonly onMouseDown: (event: MouseEvent) => void
    readonly onClick: () => void
  }
  open(): void
  close(): void
  /** True: the key was for the list. */
  onKeyDown(event: KeyboardEvent): boolean
}

interface Choice {
  /** How many options there are now. */
  readonly count: number
  /** Whether Tab takes the first option where none is active; else it leaves the field. */
  readonly completes: boolean
  readonly onAccept: (index: number) => void
}

/**
 * A field with a list of options under it (ARIA APG, "combobox with list autocomplete"): arrows choose, Enter and Tab accept, Escape closes.
 * No option is active by itself, so that Enter does what it does in any field.
 */
export function useCombobox({ count, completes, onAccept }: Choice): Combobox {
  const id = useId()
  const [open, setOpen] = useState(false)
  /** Of so many: when others come, the choice is made anew. */
  const [chosen, setChosen] = useState<{ index: number; of: number } | null>(null)
  const shown = open && count > 0
  const active = shown && chosen?.of === count ? chosen.index : null
  const optionId = (index: number): string => `${id}-${index}`

  function show(): void {
    setOpen(true)
    setChosen(null)
  }
  function close(): void {
    setOpen(false)
    setChosen(null)
  }
  function accept(index: number): void {
    setChosen(null)
    onAccept(index)
  }
  function step(by: 1 | -1): void {
    setOpen(true)
    const from = active ?? (by === 1 ? -1 : count)
    if (count > 0) setChosen({ index: (from + by + count) % count, of: count })
  }

  function handles(event: KeyboardEvent): boolean {
    switch (event.key) {
      case 'ArrowDown':
        step(1)
        return true
      case 'ArrowUp':
        step(-1)
        return true
      case 'Enter':
        if (active === null) return false
        accept(active)
        return true
      case 'Tab': {
        const taken = active ?? (shown && completes ? 0 : null)
        if (taken === null || event.shiftKey) return false
        accept(taken)
        return true
      }
      case 'Escape':
        if (!shown) return false
        close()
        return true
      default:
        return false
    }
  }

  return {
    shown,
    active,
    field: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': shown,
      'aria-controls': shown ? id : undefined,
      'aria-activedescendant': active === null ? undefined : optionId(active),
    },
    list: { id, role: 'listbox' },
    option: (index) => ({
      id: optionId(index),
      role: 'option',
      'aria-selected': index === active,
      // The field keeps the focus.
      onMouseDown: (event) => event.preventDefault(),
      onClick: () => accept(index),
    }),
    open: show,
    close,
    onKeyDown(event) {
      // While characters are being composed the keys are the input method's.
      if (event.nativeEvent.isComposing) return false
      const taken = handles(event)
      if (taken) event.preventDefault()
      return taken
    },
  }
}
