import { Dialog as Radix } from 'radix-ui'
import { useRef } from 'react'
import { restoreFocus } from '#kit/Dialog.tsx'
import { Finder } from './Finder.tsx'
import { closePalette, paletteClosed } from '#client/state/overlays.ts'
import './Palette.css'

/** Finds and runs commands, and finds deliveries, event logs and settings. */
export function Palette({ open }: { readonly open: boolean }) {
  const previousFocus = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && closePalette()}>
      <Radix.Portal>
        <div className="fixed inset-0 z-(--layer-dialog) [animation:fade_var(--ease)] bg-(--scrim)" />
        <Radix.Content
          className="palette flex flex-col focus:outline-none"
          data-modal
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            previousFocus.current = document.activeElement
          }}
          // Restore the focus first, so that the choice acts on the page below, as if its key was pressed there.
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            restoreFocus(previousFocus.current)
            paletteClosed()
          }}
        >
          <Radix.Title className="visually-hidden">Find a command or delivery</Radix.Title>
          <Finder />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
