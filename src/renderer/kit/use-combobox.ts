import { useId, useState, type KeyboardEvent, type MouseEvent } from 'react'

interface Choice {
  readonly count: number
  /** Whether Tab accepts the first option if none is active. Otherwise Tab leaves the field. */
  readonly completes: boolean
  readonly onAccept: (index: number) => void
}

/**
 * A field with a list of options (ARIA APG, "combobox with list autocomplete"): arrows select, Enter and Tab accept, Escape closes.
 * No option is active initially, so that Enter works as in any other field.
 */
export function useCombobox({ count, completes, onAccept }: Choice) {
  const id = useId()
  const [open, setOpen] = useState(false)
  /** The active option, and the number of options it belongs to. It is reset when the number changes. */
  const [selection, setSelection] = useState<{ index: number; of: number } | null>(null)
  const shown = open && count > 0
  const active = shown && selection?.of === count ? selection.index : null
  const optionId = (index: number): string => `${id}-${index}`

  function show(): void {
    setOpen(true)
    setSelection(null)
  }
  function close(): void {
    setOpen(false)
    setSelection(null)
  }
  function accept(index: number): void {
    setSelection(null)
    onAccept(index)
  }
  function step(by: 1 | -1): void {
    setOpen(true)
    const from = active ?? (by === 1 ? -1 : count)
    if (count > 0) setSelection({ index: (from + by + count) % count, of: count })
  }

  return {
    /** Whether the list is visible. */
    shown,
    active,
    /** The ARIA attributes of the field. */
    field: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': shown,
      'aria-controls': shown ? id : undefined,
      'aria-activedescendant': active === null ? undefined : optionId(active),
    },
    list: { id, role: 'listbox' },
    option: (index: number) => ({
      id: optionId(index),
      role: 'option' as const,
      'aria-selected': index === active,
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onClick: () => accept(index),
    }),
    open: show,
    close,
    /** Returns true if the list handled the key. */
    onKeyDown(event: KeyboardEvent): boolean {
      // During composition, keys belong to the input method.
      if (event.nativeEvent.isComposing) return false
      const handled = handleKey(event, { shown, active, completes, step, accept, close })
      if (handled) event.preventDefault()
      return handled
    },
  } as const
}

interface KeyTarget extends Pick<Choice, 'completes'> {
  readonly shown: boolean
  readonly active: number | null
  step(by: 1 | -1): void
  accept(index: number): void
  close(): void
}

function handleKey(event: KeyboardEvent, box: KeyTarget): boolean {
  switch (event.key) {
    case 'ArrowDown':
      box.step(1)
      return true
    case 'ArrowUp':
      box.step(-1)
      return true
    case 'Enter':
      if (box.active === null) return false
      box.accept(box.active)
      return true
    case 'Tab': {
      const accepted = box.active ?? (box.shown && box.completes ? 0 : null)
      if (accepted === null || event.shiftKey) return false
      box.accept(accepted)
      return true
    }
    case 'Escape':
      if (!box.shown) return false
      box.close()
      return true
    default:
      return false
  }
}
