import { Dialog as Radix } from 'radix-ui'
import { useRef } from 'react'
import { giveBack } from '../../ui/Dialog.tsx'
import { Finder } from './Finder.tsx'
import { closePalette, paletteClosed } from '../../state/palette.ts'
import './Palette.css'

interface Props {
  readonly open: boolean
}

/** Finds and does every command, and finds deliveries, event logs and settings. */
export function Palette({ open }: Props) {
  const before = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && closePalette()}>
      <Radix.Portal>
        <div className="dialog-scrim" />
        <Radix.Content
          className="stack-flex palette"
          data-modal
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            before.current = document.activeElement
          }}
          // The focus goes back first: what was chosen is done on the page beneath, as if by its key.
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            giveBack(before.current)
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
